/// How long a compute step takes on the host of a rank.
#pragma once

#include <string>

#include "sim/core/layout.hpp"
#include "sim/core/step.hpp"

namespace orrery {

class ComputeModel {
 public:
  virtual ~ComputeModel() = default;
  /// One line for the report: which model applied and from which figures.
  virtual std::string description() const = 0;
  virtual Seconds compute_time(const Compute& compute, Rank rank) const = 0;
};

}  // namespace orrery
