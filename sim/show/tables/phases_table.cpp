#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "sim/show/summary/summary.hpp"
#include "sim/show/summary/time_format.hpp"
#include "sim/show/tables/part_tables.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::show {

namespace {

constexpr const char* whole_run_row = "whole run";

struct PhaseRow {
  std::string point, phase;  ///< no point: as above
  double measured_s = 0.0;
  std::optional<Seconds> simulated;
};

std::vector<PhaseRow> phase_rows(const ScenarioResult& result) {
  std::vector<PhaseRow> rows;
  for (const auto& point : result.points) {
    std::string label = point_label(point);
    for (const auto& [phase, time] : point.measured_times) {
      const auto metric = std::ranges::find(point.metrics, phase, &Metric::name);
      const bool of_metric = metric != point.metrics.end();
      rows.push_back({std::exchange(label, ""),
                      phase.empty() ? whole_run_row
                      : of_metric   ? phase
                                    : fmt::format("phase '{}'", phase),
                      time.si(), of_metric ? std::optional(Seconds(metric->value)) : time_of(point, phase)});
    }
  }
  return rows;
}

}  // namespace

std::string phases_table(const ScenarioResult& result, std::size_t width, bool color) {
  const auto rows = phase_rows(result);
  if (rows.empty()) return {};
  std::vector<double> times_s;
  for (const PhaseRow& row : rows) times_s.push_back(row.measured_s);
  const TimeFormat format = time_format(times_s);
  std::vector<Column> columns;
  const auto add = [&](const std::string& header, bool right, const auto& text) {
    columns.push_back({"", header, right, {}});
    for (const PhaseRow& row : rows) columns.back().cells.push_back({text(row)});
  };
  const bool phases = std::ranges::all_of(
      rows, [](const PhaseRow& row) { return row.phase == whole_run_row || row.phase.starts_with("phase '"); });
  const bool labelled = std::ranges::any_of(rows, [](const PhaseRow& row) { return !row.point.empty(); });
  if (labelled) add("point", false, [](const PhaseRow& row) { return row.point; });
  add("time of", false, [](const PhaseRow& row) { return row.phase; });
  add(fmt::format("simulated {}", format.unit), true,
      [&](const PhaseRow& row) { return row.simulated ? format(row.simulated->si()) : "-"; });
  add(fmt::format("measured {}", format.unit), true, [&](const PhaseRow& row) { return format(row.measured_s); });
  add("error", true, [](const PhaseRow& row) {
    return row.simulated && row.measured_s > 0.0
               ? fmt::format("{:+.1f}%", 100.0 * (row.simulated->si() / row.measured_s - 1.0))
               : std::string("-");
  });
  return bold(phases ? "Phases, simulated against measured\n" : "Simulated against measured\n", color) +
         render(columns, labelled ? 2 : 1, width, color);
}

}  // namespace orrery::show
