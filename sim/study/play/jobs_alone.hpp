/// A point of several jobs, played together and then each job with all others idle: on the same nodes, with the same
/// draws, from the same start. So whatever differs is what the others do to it.
///
/// A job that repeats is played alone as often as together, at most `alone_repeats_max` times. How long a shared link
/// held it back is then told of a repetition, on average.
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/replay_result.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::study {

inline constexpr std::uint32_t alone_repeats_max = 32;

/// The run together; its `jobs` say how each does alone.
RunResult play_jobs(const LoadedPoint& point, const ReplayOptions& options, const std::string& engine);

}  // namespace orrery::study
