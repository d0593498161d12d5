/// The data of report.html, as its scripts read them (sim/report/html/data.js names every field).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/report/html.hpp"

namespace orrery::report {

nlohmann::ordered_json html_data(const ScenarioResult& result, const HtmlLimits& limits);

/// The end of the time window whose intervals fit: whole iterations, or part of the first one when even that is too
/// much. `whole` is how many iterations it shows completely.
struct GanttWindow {
  Seconds end;
  std::size_t intervals = 0, left_out = 0;  ///< shown, not shown
  std::uint32_t whole = 0, iterations = 0;
};
GanttWindow gantt_window(const RunResult& run, std::size_t intervals_max);

}  // namespace orrery::report
