/// Time in which a rank's core does nothing: a trace that says "sleep 2" means 2 s on every host, and no work.
///
///   co_yield asleep(Seconds{2});      compare `elapsed` (elapsed.hpp): time in which the core computes
///
/// It is a compute step of Work::elapsed whose shape marks it as sleep. Code that needs only the time can ignore that.
///
/// Checked  tests/unit/kernels/trace_test.cpp, tests/replay/sleep_test.cpp
#pragma once

#include "sim/core/elapsed.hpp"

namespace orrery {

inline Step asleep(Seconds duration) {
  return compute(Work::elapsed, Flops(duration.si() * elapsed_flops_per_second), {1.0});
}
inline bool is_asleep(const Compute& step) { return step.work == Work::elapsed && step.shape[0] > 0.0; }

}  // namespace orrery
