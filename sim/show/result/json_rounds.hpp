/// What a partitioner told of its rounds as JSON, both ways. Private to json_write and json_read.
///
///   [{"shares_blocks": [[columns, rows], ...], "times_s": [...], "cost_s": 0.2, "predicted_s": 0.1, "imbalance": 0.3,
///     "outer": 0, "known": [[[size, speed], ...], ...]}, ...]         "cut_off_s" where benchmarks were cut off
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "sim/core/partition_rounds.hpp"

namespace orrery::report {

nlohmann::ordered_json rounds_json(const std::vector<PartitionRound>& rounds);
/// Throws what nlohmann-json throws.
std::vector<PartitionRound> rounds_of(const nlohmann::ordered_json& json);

}  // namespace orrery::report
