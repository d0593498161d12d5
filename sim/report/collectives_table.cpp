#include "sim/report/collectives_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/quantity_text.hpp"
#include "sim/report/summary.hpp"
#include "sim/report/text_grid.hpp"

namespace orrery::report {

namespace {

constexpr std::size_t of_single_run_max = 12;

struct Row {
  std::string point;
  const CollectiveRecord* record;
};

std::vector<Row> rows_of(const ScenarioResult& result, std::size_t& left_out) {
  std::vector<Row> rows;
  const bool single = result.points.size() == 1;
  for (const auto& point : result.points) {
    const auto records = longest_collectives(point.run, single ? of_single_run_max : 1);
    for (const auto* record : records) rows.push_back({single ? "" : point_label(point), record});
    left_out += point.run.collectives.size() - records.size();
  }
  return rows;
}

}  // namespace

std::vector<const CollectiveRecord*> longest_collectives(const RunResult& run, std::size_t records_max) {
  std::vector<const CollectiveRecord*> records;
  for (const auto& record : run.collectives) records.push_back(&record);
  std::ranges::stable_sort(records, [](const auto* a, const auto* b) { return a->time > b->time; });
  records.resize(std::min(records.size(), records_max));
  return records;
}

std::string collectives_table(const ScenarioResult& result, std::size_t width, bool color, std::size_t rows_max) {
  std::size_t left_out = 0;
  auto rows = rows_of(result, left_out);
  if (rows.empty()) return {};
  left_out += rows.size() - std::min(rows.size(), rows_max);
  rows.resize(std::min(rows.size(), rows_max));
  std::vector<Column> columns{{"", "operation", false, {}}, {"", "algorithm", false, {}}, {"", "ranks", true, {}},
                              {"", "size", true, {}},       {"", "calls", true, {}},      {"", "rounds", true, {}},
                              {"", "each", true, {}},       {"", "longest", true, {}},    {"", "bus", true, {}}};
  const bool points = result.points.size() > 1;
  if (points) columns.insert(columns.begin(), Column{"", "point", false, {}});
  for (const auto& [point, record] : rows) {
    const bool sized = bus_factor(record->operation, record->ranks) > 0.0 && record->bytes > Bytes{};
    std::vector<Cell> cells{{operation_name(record->operation)},
                            {record->algorithm},
                            {fmt::format("{}", record->ranks)},
                            {sized ? to_text(record->bytes) : ""},
                            {fmt::format("{}", record->calls)},
                            {fmt::format("{}", record->rounds)},
                            {to_text(record->time / static_cast<double>(record->calls))},
                            {to_text(record->time_max)},
                            {sized ? to_text(record->bus_bandwidth()) : ""}};
    if (points) cells.insert(cells.begin(), Cell{point});
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].cells.push_back(cells[c]);
  }
  std::string out = bold(points ? "The longest collective of each point\n" : "Collectives\n", color);
  out += render(columns, points ? 1 : 2, width, color);
  if (left_out > 0) out += fmt::format("... and {} more kinds of call in result.json\n", left_out);
  return out;
}

}  // namespace orrery::report
