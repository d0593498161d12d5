#include <fmt/format.h>

#include <algorithm>

#include "sim/show/summary/summary.hpp"
#include "sim/show/summary/time_format.hpp"
#include "sim/show/tables/part_tables.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::show {

namespace {

struct RepeatsRow {
  std::string point;  ///< empty: as above
  const RepeatedTime* time;
};

std::vector<RepeatsRow> repeats_rows(const ScenarioResult& result) {
  std::vector<RepeatsRow> rows;
  for (const auto& point : result.points) {
    if (!point.repeats) continue;
    const RepeatedTime* whole = point.repeats->of_phase("");
    const RepeatedTime* compared = point.repeats->of_phase(point.compared_phase);
    rows.push_back({point_label(point), whole});
    if (compared != nullptr && compared->times != whole->times) rows.push_back({"", compared});
  }
  return rows;
}

std::string between(const TimeFormat& format, const TimeRange& range) {
  return fmt::format("{} .. {}", format(range.least.si()), format(range.most.si()));
}

}  // namespace

std::string repeats_table(const ScenarioResult& result, std::size_t width, bool color) {
  const auto rows = repeats_rows(result);
  if (rows.empty()) return {};
  std::vector<double> times_s;
  times_s.reserve(rows.size());
  for (const RepeatsRow& row : rows) times_s.push_back(row.time->median.si());
  const TimeFormat format = time_format(times_s);
  std::vector<Column> columns;
  const auto add = [&](const char* group, const std::string& header, bool right, const auto& text) {
    columns.push_back({group, header, right, {}});
    for (const RepeatsRow& row : rows) columns.back().cells.push_back({text(row)});
  };
  const std::string unit = format.unit;
  add("", "point", false, [](const RepeatsRow& row) { return row.point; });
  add("", "time of", false, [](const RepeatsRow& row) {
    return row.time->phase.empty() ? std::string("whole run") : fmt::format("phase '{}'", row.time->phase);
  });
  add("", "runs", true, [](const RepeatsRow& row) { return fmt::format("{}", row.time->times.size()); });
  add("median", unit, true, [&](const RepeatsRow& row) { return format(row.time->median.si()); });
  add("5 .. 95 %", unit, true, [&](const RepeatsRow& row) { return between(format, {row.time->low, row.time->high}); });
  if (std::ranges::any_of(rows, [](const RepeatsRow& row) { return row.time->median_within.has_value(); }))
    add("95 % confidence", "of the median", true, [&](const RepeatsRow& row) {
      return row.time->median_within ? between(format, *row.time->median_within) : "-";
    });
  constexpr const char* heading =
      "Repetitions with other seeds: medians, and between which times nine runs of ten lie; all else is of the run of "
      "median makespan\n";
  return bold(heading, color) + render(columns, 2, width, color);
}

std::string repeats_csv_header() {
  std::string header = ",runs";
  for (const char* time : {"simulated", "makespan"})
    for (const char* of : {"median_s", "p5_s", "p95_s", "median_least_s", "median_most_s"})
      header += fmt::format(",{}_{}", time, of);
  return header;
}

std::string repeats_csv(const PointResult& point) {
  std::string row = fmt::format(",{}", point.repeats ? point.repeats->seeds.size() : 1);
  for (const std::string& phase : {point.compared_phase, std::string()}) {
    const RepeatedTime* time = point.repeats ? point.repeats->of_phase(phase) : nullptr;
    if (const auto once = time_of(point, phase); !point.repeats && once) {
      row += fmt::format(",{0},{0},{0},,", once->si());
      continue;
    }
    if (time == nullptr) {
      row += ",,,,,";
      continue;
    }
    row += fmt::format(",{},{},{}", time->median.si(), time->low.si(), time->high.si());
    row += time->median_within ? fmt::format(",{},{}", time->median_within->least.si(), time->median_within->most.si())
                               : ",,";
  }
  return row;
}

}  // namespace orrery::show
