// Two results side by side on the terminal: a row for each point and phase.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "sim/show/summary/binding.hpp"
#include "sim/show/summary/comparison.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/show/summary/time_format.hpp"
#include "sim/show/tables/metric_table.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::show {

namespace {

constexpr std::size_t points_with_all_phases = 12;
constexpr std::size_t phases_shown_max = 8;

struct ComparisonRow {
  const ComparedPoint* point;
  const ComparedTime* time;  ///< null: a point that failed on a side
  bool first;                ///< of its point
};

/// The run, its jobs and its phases; of many phases those that differ most, in their own order.
std::vector<const ComparedTime*> shown_times(const ComparedPoint& point, bool all_phases) {
  const std::string& compared = point.a->compared_phase;
  std::vector<const ComparedTime*> phases;
  for (const auto& time : point.times) {
    if (time.of != ComparedTime::Of::phase) continue;
    if (all_phases || time.name == compared) phases.push_back(&time);
  }
  const auto change = [](const ComparedTime* time) {
    return time->difference() ? std::abs(time->difference()->si()) : 0.0;
  };
  if (phases.size() > phases_shown_max) {
    auto largest = phases;
    std::ranges::stable_sort(largest, std::greater{}, change);
    const double least = change(largest[phases_shown_max - 1]);
    std::erase_if(phases, [&](const auto* time) { return change(time) < least; });
    phases.resize(std::min(phases.size(), phases_shown_max));
  }
  std::vector<const ComparedTime*> shown{&point.times.front()};
  for (const auto& time : point.times)
    if (time.of == ComparedTime::Of::job) shown.push_back(&time);
  shown.insert(shown.end(), phases.begin(), phases.end());
  return shown;
}

std::vector<ComparisonRow> rows_of(const Comparison& comparison, bool all_phases) {
  std::vector<ComparisonRow> rows;
  for (const auto& point : comparison.points) {
    if (!point.paired()) continue;
    bool first = true;
    for (const ComparedTime* time : shown_times(point, all_phases)) {
      rows.push_back({&point, time, first});
      first = false;
    }
  }
  return rows;
}

Cell ratio_cell(const std::optional<double>& ratio) {
  if (!ratio) return {"-", Tint::faint};
  return {fmt::format("{:.3f}", *ratio), *ratio > 1.005 ? Tint::poor : *ratio < 0.995 ? Tint::good : Tint::plain};
}

/// Differences in the last bits are none.
std::string signed_difference(const TimeFormat& format, const ComparedTime& time) {
  if (!time.difference()) return "-";
  const Seconds difference = *time.difference();
  if (std::abs(difference / std::max(*time.a, *time.b)) < 1e-9) return format(0.0);
  return (difference > Seconds{} ? "+" : "") + format(difference.si());
}

std::vector<Column> columns_of(const std::vector<ComparisonRow>& rows, const std::vector<SettingValues>& settings) {
  std::vector<double> times_s;
  for (const ComparisonRow& row : rows)
    for (const auto& time : {row.time->a, row.time->b})
      if (time) times_s.push_back(time->si());
  const TimeFormat format = time_format(times_s);
  std::vector<Column> columns;
  const auto add = [&](const char* group, const std::string& header, bool right, const auto& cell) {
    columns.push_back({group, header, right, {}});
    for (const ComparisonRow& row : rows) columns.back().cells.push_back(cell(row));
  };
  for (const auto& setting : settings)
    if (setting.values.size() > 1)
      add("", short_key(setting.key, settings), false, [&](const ComparisonRow& row) {
        return Cell{row.first ? setting_of(row.point->settings, setting.key) : ""};
      });
  add("", "time of", false, [](const ComparisonRow& row) { return Cell{words_of(*row.time)}; });
  const auto side = [&](bool of_a) {
    return [&format, of_a](const ComparisonRow& row) {
      const PointResult& point = of_a ? *row.point->a : *row.point->b;
      if (!point.failure.empty()) return Cell{"failed", Tint::poor};
      return Cell{format(of_a ? row.time->a : row.time->b)};
    };
  };
  add("A", format.unit, true, side(true));
  add("B", format.unit, true, side(false));
  add("B - A", format.unit, true, [&](const ComparisonRow& row) { return Cell{signed_difference(format, *row.time)}; });
  add("B / A", "", true, [](const ComparisonRow& row) { return ratio_cell(row.time->ratio()); });
  const auto any = [&](const auto& text) {
    return std::ranges::any_of(rows, [&](const ComparisonRow& row) { return !(row.time->*text).empty(); });
  };
  if (any(&ComparedTime::binds_a))
    add("binds in A", "", false, [](const ComparisonRow& row) { return Cell{row.time->binds_a}; });
  if (any(&ComparedTime::binds_b))
    add("binds in B", "", false, [](const ComparisonRow& row) { return Cell{row.time->binds_b}; });
  return columns;
}

std::vector<SettingValues> settings_of(const Comparison& comparison) {
  ScenarioResult paired;  // only its points' settings are asked
  for (const auto& point : comparison.points)
    if (point.paired()) paired.points.emplace_back().settings = point.settings;
  return setting_values(paired);
}

struct MetricRow {
  const ComparedPoint* point;
  const ComparedMetric* metric;
  bool first;  ///< of its point
};

/// What programs print, energy, power and cost: each in its own unit.
std::string metric_rows(const Comparison& comparison, std::size_t width, bool color) {
  std::vector<MetricRow> rows;
  for (const auto& point : comparison.points)
    for (const auto& metric : point.metrics) rows.push_back({&point, &metric, &metric == &point.metrics.front()});
  if (rows.empty()) return {};
  const auto settings = settings_of(comparison);
  std::vector<Column> columns;
  const auto add = [&](const std::string& header, bool right, const auto& cell) {
    columns.push_back({"", header, right, {}});
    for (const MetricRow& row : rows) columns.back().cells.push_back(cell(row));
  };
  for (const auto& setting : settings)
    if (setting.values.size() > 1)
      add(short_key(setting.key, settings), false,
          [&](const MetricRow& row) { return Cell{row.first ? setting_of(row.point->settings, setting.key) : ""}; });
  add("metric", false, [](const MetricRow& row) { return Cell{row.metric->name}; });
  const std::size_t repeated = columns.size();
  const auto value = [](const ComparedMetric& metric, const std::optional<double>& of) {
    return of ? Cell{metric_with_unit({metric.name, *of, metric.unit})} : Cell{"-", Tint::faint};
  };
  add("A", true, [&](const MetricRow& row) { return value(*row.metric, row.metric->a); });
  add("B", true, [&](const MetricRow& row) { return value(*row.metric, row.metric->b); });
  add("B / A", true, [](const MetricRow& row) {
    return row.metric->ratio() ? Cell{fmt::format("{:.3f}", *row.metric->ratio())} : Cell{"-", Tint::faint};
  });
  return "\n" + fitted(columns, repeated, width, color);
}

std::string side_line(const char* side, const ComparedSide& of, std::size_t width) {
  const std::string title = title_of(of);
  return wrapped(fmt::format("{}: {}{}", side, of.name, title == of.name ? "" : " - " + title), width, "     ");
}

std::string failures(const Comparison& comparison, std::size_t width) {
  std::string out;
  for (const auto& point : comparison.points)
    for (const auto& [side, result] : {std::pair{"A", point.a}, std::pair{"B", point.b}})
      if (result != nullptr && !result->failure.empty())
        out += wrapped(fmt::format("failed in {}: {}: {}", side, point_label(*result), result->failure), width, "  ");
  return out;
}

}  // namespace

std::string comparison_table(const Comparison& comparison, std::size_t width, bool color) {
  std::string out = bold(wrapped(comparison_sentence(comparison), width, "  "), color);
  out += side_line("  A", comparison.a, width) + side_line("  B", comparison.b, width);
  for (const auto& difference : comparison.differences) out += wrapped("  differs: " + difference, width, "    ");
  const bool all_phases = comparison.pairs() <= points_with_all_phases;
  if (const auto rows = rows_of(comparison, all_phases); !rows.empty()) {
    const auto columns = columns_of(rows, settings_of(comparison));
    std::size_t repeated = 0;
    while (columns[repeated].group.empty()) ++repeated;
    out += "\n" + render(columns, repeated, width, color);
    if (!all_phases) out += "other phases: in compare.csv, or with --format csv\n";
  }
  out += metric_rows(comparison, width, color);
  std::string closing = failures(comparison, width);
  for (const auto& note : comparison.notes) closing += wrapped("note: " + note, width, "  ");
  for (const auto& [side, result] : {std::pair{"A", comparison.a.result}, std::pair{"B", comparison.b.result}})
    for (const auto& sentence : binding_sentences(*result))
      closing += wrapped(fmt::format("binds in {}: {}", side, sentence), width, "  ");
  return closing.empty() ? out : out + "\n" + closing;
}

}  // namespace orrery::show
