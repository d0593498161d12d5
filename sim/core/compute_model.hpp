/// How long a compute step takes on the host of a rank.
///
/// Models are shared between simulations and threads, so they hold no state that a call changes: what varies from step
/// to step is a function of the rank and of the number of its compute step, which the caller counts in program order.
/// Results then do not depend on the engine, on the order of events or on how many simulations run beside this one.
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
  /// The time to expect: the mean over steps where they vary.
  virtual Seconds compute_time(const Compute& compute, Rank rank) const = 0;
  /// The time of the rank's compute step number `step` (from 0; Compute and ComputeUntil count alike). A polling
  /// ComputeUntil is one step: its chunks share what it draws.
  virtual Seconds sampled_time(const Compute& compute, Rank rank, std::uint64_t /*step*/) const {
    return compute_time(compute, rank);
  }
};

}  // namespace orrery
