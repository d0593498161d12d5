/// The parts of the data of report.html: time lines, the critical path over them, loads and ranks, networks.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/core/scenario_result.hpp"
#include "sim/show/charts/ticks.hpp"
#include "sim/show/page/html.hpp"

namespace orrery::show {

/// The end of the time window whose intervals fit: whole iterations, or part of the first one if even that has too
/// many. `whole` is the number of complete iterations in it.
struct GanttWindow {
  Seconds end;
  std::size_t intervals = 0, left_out = 0;  ///< shown, not shown
  std::uint32_t whole = 0, iterations = 0;
};
GanttWindow gantt_window(const RunResult& run, std::size_t intervals_max);

/// Timelines up to the window's end, for the ranks that have some, with the critical path over them, and at most
/// `messages_max` messages.
nlohmann::ordered_json gantt_json(const RunResult& run, const GanttWindow& window, std::size_t messages_max);

/// The parts of the paths of the compared phase and of the run; null without a path.
nlohmann::ordered_json path_json(const PointResult& point);

/// Segments that begin before `end`, drawn over the timelines: kind, rank, receiver or -1, begin and end in ticks,
/// resource or -1 (its own limit) or -2; six numbers each.
nlohmann::ordered_json path_segments_json(const CriticalPath& path, Seconds end, const Ticks& ticks);

/// Means over at most `bins_max` equal parts of the run, per mille.
nlohmann::ordered_json load_json(const std::vector<double>& load, std::size_t bins_max);
/// The busiest resources, with loads per mille in at most `load_bins_max` bins, cut at 1000.
nlohmann::ordered_json resources_json(const RunResult& run, const HtmlLimits& limits);
/// Each kind of resource: its name, number, and load in the same form.
nlohmann::ordered_json kinds_json(const RunResult& run, const HtmlLimits& limits);
/// [activities][bins] per mille of all ranks' time.
nlohmann::ordered_json activity_shares_json(const RunResult& run, const HtmlLimits& limits);
/// [activities][bars] of the makespan, in 1e-4; a bar is the mean of as many consecutive ranks as make at most
/// `bars_max`.
nlohmann::ordered_json rank_times_json(const RunResult& run, std::size_t ranks, std::size_t bars_max);

/// "networks" of the page. Also adds "picture" to the `shown` points (`points` is their data on the page) whose loads
/// fit into `limits.network_numbers_max`. Loads are per mille: the mean of each slot, and the maximum of each slot with
/// several links.
nlohmann::ordered_json networks_json(const std::vector<const PointResult*>& shown, const HtmlLimits& limits,
                                     nlohmann::ordered_json& points);

}  // namespace orrery::show
