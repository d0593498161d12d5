/// What ranks did when, as JSON, both ways: intervals, messages between ranks, collectives. Private to json_write and
/// json_read.
///
///   "timelines": {"columns": [...], "ranks": [[[activity, begin_s, ...], ...], ...]}
///   "deliveries", "collective_spans": {"columns": [...], "rows": [...]}
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/core/replay_result.hpp"

namespace orrery::report {

/// Adds the members above to what is said of a run.
void add_timelines(const RunResult& run, nlohmann::ordered_json& json);
/// Reads those that are there. Throws what nlohmann-json throws, or std::out_of_range.
void read_timelines(const nlohmann::ordered_json& json, RunResult& run);

}  // namespace orrery::report
