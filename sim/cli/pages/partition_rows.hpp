/// A partition as the table of any run: a row for each rank, with its share of the blocks beside its share of the speed
/// ('ideal'). Notes say half-perimeters beside the least of any rectangles of these areas, how much longer the slowest
/// rank takes than by a perfect split, and those of the answer.
#pragma once

#include "sim/core/scenario_result.hpp"
#include "sim/study/search/partition_job.hpp"

namespace orrery::cli {

ScenarioResult partition_rows(const study::PartitionAnswer& answer);

}  // namespace orrery::cli
