/// The pictures of networks in the page's data: each network's drawing once, the loads of each point's.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/show/page/html.hpp"

namespace orrery::show {

/// "networks" of the page, and adds "picture" to those of the `shown` points (`points` is what the page has of
/// them) whose loads fit into `limits.network_numbers_max`. Loads are per mille: the mean of each slot, and the
/// greatest of each that has several links.
nlohmann::ordered_json networks_json(const std::vector<const PointResult*>& shown, const HtmlLimits& limits,
                                     nlohmann::ordered_json& points);

}  // namespace orrery::show
