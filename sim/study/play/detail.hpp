/// How much of each run is kept unless everything is asked for (`--full`): what the report draws, so that a point takes
/// below a megabyte in the store, in result.json and in memory.
///
///   time lines   intervals of all ranks together: 20,000 of a point while a sweep has up to 8 points, then fewer
///   loads        over time of the 40 busiest resources, at least 4 of each kind; totals of all
///   many points  of more than 200 points no report shows more than their times: the rest stays in the store
///
/// Nothing of it changes a time: what is left out was counted before.
#pragma once

#include <cstdint>

#include "sim/core/scenario_result.hpp"

namespace orrery::study {

/// Intervals kept of each rank: at most 400.
std::uint32_t intervals_per_rank(std::size_t ranks, std::size_t points);

/// Drops the load curves of all but the busiest resources; `report` draws at most 12 of them, and 2 of each kind.
void keep_busiest_loads(RunResult& run);

/// Whether a sweep has so many points that their times and sums are all that is held of each.
inline bool many_points(std::size_t points) { return points > 200; }
/// Leaves the times of a point: sums of its phases by name, predictions without their terms, what binds in a sentence.
/// A few kilobytes, so that 100,000 points fit into memory.
void keep_times(PointResult& point);

}  // namespace orrery::study
