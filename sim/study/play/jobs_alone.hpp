/// A point with several jobs, simulated together and then once per job with all others idle: on the same nodes, with
/// the same random numbers, from the same start. So every difference is an effect of the other jobs.
///
/// A job that repeats is played alone as often as together, at most `alone_repeats_max` times. The time for which a
/// shared link limited it is then given per repetition, on average.
#pragma once

#include <cstdint>
#include <string>

#include "sim/core/replay_result.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::study {

inline constexpr std::uint32_t alone_repeats_max = 32;

/// The run of all jobs together; its `jobs` also have the times of each alone.
RunResult play_jobs(const LoadedPoint& point, const ReplayOptions& options, const std::string& engine);

}  // namespace orrery::study
