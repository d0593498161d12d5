/// An all-to-all of GPUs that cannot use rails, because nodes have different numbers of GPUs: a notice before the
/// simulation, because all its messages start at the same time.
///
/// Checked  tests/unit/study/gpu_fallback_test.cpp
#pragma once

#include <string>

#include "sim/study/read/point.hpp"

namespace orrery::study {

/// Number of GPUs from which it takes long.
inline constexpr std::uint32_t fallback_told_from = 256;

/// Empty: there is no such fallback, or it is quick to simulate.
std::string fallback_notice(const LoadedPoint& point);

}  // namespace orrery::study
