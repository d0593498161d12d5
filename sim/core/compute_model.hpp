/// How long a compute step takes on the host of a rank.
///
/// Models are shared between simulations and threads, so no call changes their state. A time that varies from step to
/// step is a function of the rank and of the number of its compute step. The caller counts these in program order.
/// Results then do not depend on the engine, on the order of events or on other simulations that run at the same time.
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/layout.hpp"
#include "sim/core/step.hpp"

namespace orrery {

class ComputeModel {
 public:
  virtual ~ComputeModel() = default;
  /// One line for the report: which model applied and from which parameters.
  virtual std::string description() const = 0;
  /// The expected time: the mean over steps if it varies.
  virtual Seconds compute_time(const Compute& compute, Rank rank) const = 0;
  /// The time of the rank's compute step number `step` (from 0; Compute and ComputeUntil steps both count). A polling
  /// ComputeUntil is one step: its chunks share one random number.
  virtual Seconds sampled_time(const Compute& compute, Rank rank, std::uint64_t /*step*/) const {
    return compute_time(compute, rank);
  }
};

}  // namespace orrery
