/// A partition in the form of a run's table: a row for each rank, with its share of the blocks and its share of the
/// speed ('ideal'). Notes give half-perimeters, compared with the minimum for rectangles of these areas; how much
/// longer the slowest rank takes than with a perfect division; and the notes of the answer.
#pragma once

#include "sim/core/scenario_result.hpp"
#include "sim/study/search/partition_job.hpp"

namespace orrery::cli {

ScenarioResult partition_rows(const study::PartitionAnswer& answer);

}  // namespace orrery::cli
