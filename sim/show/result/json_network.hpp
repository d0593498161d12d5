/// The picture of a network, its loads and its traffic in result.json. Private to json_write and json_read.
///
///   "networks": [{"title": ..., "places": [[label, words, switches, level], ...], ...}]
///   of a point: "network_loads": {"network": 0, "loads": [{"phase": "", "time_s": 1.2, "mean_fractions": [...], ...}]}
///               "traffic": {"groups": 8, "ranks_per_group": 1, "columns": ["from", "to", ...], "rows": [...]}
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

using SharedOutline = std::shared_ptr<const NetworkOutline>;

/// The outlines of all points, without duplicates.
std::vector<SharedOutline> distinct_outlines(const ScenarioResult& result);

nlohmann::ordered_json network_loads_json(const PointResult& point, const std::vector<SharedOutline>& outlines);
nlohmann::ordered_json traffic_json(const PointResult& point);

/// These throw the exceptions of nlohmann-json, or std::out_of_range.
SharedOutline outline_of(const nlohmann::ordered_json& json);
void read_network_loads(const nlohmann::ordered_json& json, const std::vector<SharedOutline>& outlines,
                        PointResult& point);
void read_traffic(const nlohmann::ordered_json& json, PointResult& point);

}  // namespace orrery::show
