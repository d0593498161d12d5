/// What is kept of each run without `--full`: the data that the report draws, so that a point takes less than a
/// megabyte in the store, in result.json and in memory.
///
///   timelines    intervals of all ranks together: 20,000 per point while a sweep has up to 8 points, then fewer
///   loads        over time of the 40 busiest resources, at least 4 of each kind; totals of all
///   many points  above 200 points a report shows only their times: the rest stays in the store
///
/// This does not change a time: omitted data were counted before.
#pragma once

#include <cstdint>

#include "sim/core/scenario_result.hpp"

namespace orrery::study {

/// Intervals kept of each rank: at most 400.
std::uint32_t intervals_per_rank(std::size_t ranks, std::size_t points);

/// Drops the load curves of all except the busiest resources; `report` draws at most 12 of them, and 2 of each kind.
void keep_busiest_loads(RunResult& run);

/// Whether a sweep has so many points that only times and sums are held for each.
inline bool many_points(std::size_t points) { return points > 200; }
/// Keeps the times of a point: sums of its phases by name, predictions without terms, what limits it as a sentence.
/// A few kilobytes, so that 100,000 points fit into memory.
void keep_times(PointResult& point);

}  // namespace orrery::study
