/// How far a program played at peak speed, because nobody named a compute model, is from what memory allows.
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
  double factor = 1.0;   ///< infinite where computation takes no time at all, 1 where somebody chose how it is timed
  std::string job = {};  ///< that it is of; empty: the point is one program
};

/// Of up to so many steps of some ranks of a point; of several jobs the worst, each with its own compute model.
PeakAssumed memory_over_peak(const LoadedPoint& point, std::uint64_t steps_max = 20'000);

}  // namespace orrery::study
