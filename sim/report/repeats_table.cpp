#include "sim/report/repeats_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "sim/report/summary.hpp"
#include "sim/report/text_grid.hpp"
#include "sim/report/time_format.hpp"

namespace orrery::report {

namespace {

struct Row {
  std::string point;  ///< empty: as above
  const RepeatedTime* time;
};

std::vector<Row> rows_of(const ScenarioResult& result) {
  std::vector<Row> rows;
  for (const auto& point : result.points) {
    if (!point.repeats) continue;
    std::string label = point_label(point);
    for (const auto& time : point.repeats->times)
      if (time.phase.empty() || time.phase == point.compared_phase) rows.push_back({std::exchange(label, ""), &time});
  }
  return rows;
}

std::string between(const TimeFormat& format, const Confidence& within) {
  return fmt::format("{} .. {}", format(within.least.si()), format(within.most.si()));
}

/// Of the runs themselves, not of what is known of their mean: between two of them, linearly.
double quantile(std::vector<Seconds> times, double share) {
  std::ranges::sort(times);
  const double at = share * static_cast<double>(times.size() - 1);
  const auto below = static_cast<std::size_t>(at);
  const Seconds next = times[std::min(below + 1, times.size() - 1)];
  return (times[below] + (at - static_cast<double>(below)) * (next - times[below])).si();
}
constexpr double low = 0.05, high = 0.95;

}  // namespace

std::string repeats_table(const ScenarioResult& result, std::size_t width, bool color) {
  const auto rows = rows_of(result);
  if (rows.empty()) return {};
  std::vector<double> times_s;
  times_s.reserve(rows.size());
  for (const Row& row : rows) times_s.push_back(row.time->mean.si());
  const TimeFormat format = time_format(times_s);
  std::vector<Column> columns;
  const auto add = [&](const char* group, const std::string& header, bool right, const auto& text) {
    columns.push_back({group, header, right, {}});
    for (const Row& row : rows) columns.back().cells.push_back({text(row)});
  };
  const std::string unit = format.unit;
  add("", "point", false, [](const Row& row) { return row.point; });
  add("", "time of", false, [](const Row& row) {
    return row.time->phase.empty() ? std::string("whole run") : fmt::format("phase '{}'", row.time->phase);
  });
  add("", "runs", true, [](const Row& row) { return fmt::format("{}", row.time->times.size()); });
  add("mean", unit, true, [&](const Row& row) { return format(row.time->mean.si()); });
  add("mean", "95 %", true, [&](const Row& row) { return between(format, row.time->mean_within); });
  add("median", unit, true, [&](const Row& row) { return format(row.time->median.si()); });
  add("median", "95 %", true,
      [&](const Row& row) { return row.time->median_within ? between(format, *row.time->median_within) : "-"; });
  add("5 .. 95 %", unit, true, [&](const Row& row) {
    return between(format, {Seconds(quantile(row.time->times, low)), Seconds(quantile(row.time->times, high))});
  });
  add("least .. most", unit, true, [&](const Row& row) {
    const auto [least, most] = std::ranges::minmax(row.time->times);
    return between(format, {least, most});
  });
  return bold("Repetitions with other seeds, with 95 % confidence intervals\n", color) +
         render(columns, 2, width, color);
}

Seconds makespan_of(const PointResult& point) {
  const RepeatedTime* whole = point.repeats ? point.repeats->of_phase("") : nullptr;
  return whole != nullptr ? whole->mean : point.run.makespan;
}

std::string repeats_csv_header() {
  std::string header = ",runs";
  for (const char* time : {"simulated", "makespan"})
    for (const char* of :
         {"mean_s", "mean_least_s", "mean_most_s", "median_s", "median_least_s", "median_most_s", "p5_s", "p95_s"})
      header += fmt::format(",{}_{}", time, of);
  return header;
}

std::string repeats_csv(const PointResult& point) {
  if (!point.repeats) return ",1,,,,,,,,,,,,,,,,";
  std::string row = fmt::format(",{}", point.repeats->seeds.size());
  for (const std::string& phase : {point.compared_phase, std::string()}) {
    const RepeatedTime* time = point.repeats->of_phase(phase);
    if (time == nullptr) {
      row += ",,,,,,,,";
      continue;
    }
    row += fmt::format(",{},{},{},{}", time->mean.si(), time->mean_within.least.si(), time->mean_within.most.si(),
                       time->median.si());
    row += time->median_within ? fmt::format(",{},{}", time->median_within->least.si(), time->median_within->most.si())
                               : ",,";
    row += fmt::format(",{},{}", quantile(time->times, low), quantile(time->times, high));
  }
  return row;
}

}  // namespace orrery::report
