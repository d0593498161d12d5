/// result.json: every number of a scenario, units in the keys. Except for the objects called "wall_clock", two runs
/// with the same input give the same bytes. Timelines are only in trace.json. Everything else can be read back except
/// properties of the platform: parameters of GPUs, local work of collectives, numbers of links.
///
///   {"schema": 1, "orrery": "0.1.0", "name": ..., "networks": [...], "points": [
///     {"id": ..., "settings": {...}, "simulated_s": 0.012, "predictions": [...], "run": {...}}, ...],
///    "averages": [...]}
///
/// Of a "run" the members "resources" (each with its "load_fraction" over time, for up to 20,000), "kind_loads" (all
/// resources of a kind together, for any number), "activity_fractions" (of the time of all ranks, over time) and
/// "activity_times" (seconds by rank, or by group of "ranks_per_group" consecutive ones) show the distribution of load
/// and time. "quantities" of a point are its settings with a unit as numbers (numeric_settings.hpp). "networks" has the
/// data of network pictures, and a point's "network_loads" the share of each link's capacity that was used, in the
/// slots of sim/core/network_outline.hpp. With `--engine both` a point has "other_engine" too: the results of the other
/// engine.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sim/core/scenario_result.hpp"
#include "sim/core/text_sink.hpp"

namespace orrery::show {

inline constexpr int json_schema = 1;

struct JsonOptions {
  bool timelines = false;  ///< also the intervals, messages and collectives of every rank: large
  bool full = false;       ///< everything, of any size; else a point stays below a megabyte
  bool wall_clock = true;  ///< off: only reproducible values
};

/// "18500 of 20000 phase records (their sums are kept), the loads over time of 2960 resources; --full writes them":
/// everything that `to_json` leaves out, over all points. Empty if it leaves out nothing.
std::string left_out_of_json(const ScenarioResult& result);

std::string to_json(const ScenarioResult& result, const JsonOptions& options = {});
/// The same bytes, point by point: for 100,000 points the text has hundreds of megabytes.
void write_json(const ScenarioResult& result, const JsonOptions& options, const TextSink& out);

/// Reads the output of `to_json`. Throws InputError that begins with `where` for text that is not JSON, for another
/// schema and for missing or ill-typed keys.
ScenarioResult from_json(std::string_view text, const std::string& where);

}  // namespace orrery::show
