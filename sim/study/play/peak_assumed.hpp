/// The error of computation at peak speed, which is assumed if no compute model is named, against what memory allows.
///
///   factor = sum of T_r / sum of T_p   of the compute steps of one rank, the worst of a few
///
///   T_p  Seconds  s  of the default model: flops at peak speed
///   T_r  Seconds  s  of the roofline without caches: flops at peak speed or bytes at the bandwidth of memory
///
/// Checked  tests/unit/study/point_notes_test.cpp
#pragma once

#include <cstdint>
#include <string>

#include "sim/study/read/point.hpp"

namespace orrery::study {

struct PeakAssumed {
  double factor = 1.0;   ///< infinite if computation takes no time at all, 1 if a compute model was chosen
  std::string job = {};  ///< the job that it is for; empty: the point is one program
};

/// Over up to `steps_max` steps of some ranks of a point; the worst of several jobs, each with its own compute model.
PeakAssumed memory_over_peak(const LoadedPoint& point, std::uint64_t steps_max = 20'000);

}  // namespace orrery::study
