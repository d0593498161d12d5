/// The data of report.html, as its scripts read them.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/show/page/html.hpp"

namespace orrery::show {

nlohmann::ordered_json html_data(const ScenarioResult& result, const HtmlLimits& limits);

}  // namespace orrery::show
