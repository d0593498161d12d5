/// An all-to-all of GPUs that cannot go along rails, because nodes have unlike numbers of them: what is said before it is
/// played, as all its messages go at once.
///
/// Checked  tests/unit/study/gpu_fallback_test.cpp
#pragma once

#include <string>

#include "sim/study/read/point.hpp"

namespace orrery::study {

/// From how many GPUs on it takes long.
inline constexpr std::uint32_t fallback_told_from = 256;

/// Empty: there is none, or it is soon played.
std::string fallback_notice(const LoadedPoint& point);

}  // namespace orrery::study
