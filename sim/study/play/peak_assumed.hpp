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

#include "sim/study/read/point.hpp"

namespace orrery::study {

/// Of up to so many steps of some ranks of a point; infinite where its computation takes no time at all, 1 where
/// somebody chose a compute model, or an efficiency.
double memory_over_peak(const LoadedPoint& point, std::uint64_t steps_max = 20'000);

}  // namespace orrery::study
