#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <tuple>

#include "sim/core/quantity_text.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/show/tables/part_tables.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::show {

namespace {

constexpr std::size_t of_single_run_max = 12;

constexpr std::size_t sizes_max = 4;  ///< of one kind that each have a row

struct Row {
  std::string point;
  CollectiveSum sum;
};

std::vector<Row> rows_of(const ScenarioResult& result, std::size_t& left_out) {
  std::vector<Row> rows;
  const bool single = result.points.size() == 1;
  for (const auto& point : result.points) {
    auto sums = longest_collectives(point.run, point.run.collectives.size());
    const std::size_t shown = std::min(sums.size(), single ? of_single_run_max : 1);
    left_out += sums.size() - shown;
    for (std::size_t i = 0; i < shown; ++i) rows.push_back({single ? "" : point_label(point), std::move(sums[i])});
  }
  return rows;
}

auto kind_of(const CollectiveRecord& record) {
  return std::tuple(record.operation, std::string_view(record.name), std::string_view(record.algorithm), record.ranks);
}

void add(CollectiveSum& sum, const CollectiveRecord& one) {
  CollectiveRecord& all = sum.record;
  const auto before = static_cast<double>(all.calls), more = static_cast<double>(one.calls);
  all.bytes = (before * all.bytes + more * one.bytes) / (before + more);
  all.calls += one.calls;
  all.time += one.time;
  all.time_max = std::max(all.time_max, one.time_max);
  all.late += one.late;
  all.messages += one.messages;
  all.steps = std::max(all.steps, one.steps);
  sum.least = std::min(sum.least, one.bytes);
  sum.most = std::max(sum.most, one.bytes);
}

/// Of a call: what is less than a billionth of its time is rounding.
std::string late_text(const CollectiveRecord& record) {
  const Seconds late = record.late < 1e-9 * record.time ? Seconds{} : record.late;
  return to_text(late / static_cast<double>(record.calls));
}

std::string size_text(const CollectiveSum& sum) {
  if (sum.least < sum.most) return to_text(sum.least) + " to " + to_text(sum.most);
  return to_text(sum.record.bytes);
}

}  // namespace

std::vector<CollectiveSum> longest_collectives(const RunResult& run, std::size_t sums_max) {
  std::map<decltype(kind_of(run.collectives.front())), std::vector<const CollectiveRecord*>> kinds;
  for (const auto& record : run.collectives) kinds[kind_of(record)].push_back(&record);
  std::vector<CollectiveSum> sums;
  for (const auto& [kind, records] : kinds) {
    const std::size_t first = sums.size();
    for (const CollectiveRecord* record : records)
      if (records.size() > sizes_max && sums.size() > first)
        add(sums.back(), *record);
      else
        sums.push_back({*record, record->bytes, record->bytes});
  }
  std::ranges::stable_sort(sums, [](const auto& a, const auto& b) { return a.record.time > b.record.time; });
  sums.resize(std::min(sums.size(), sums_max));
  return sums;
}

std::string collectives_table(const ScenarioResult& result, std::size_t width, bool color, std::size_t rows_max) {
  std::size_t left_out = 0;
  auto rows = rows_of(result, left_out);
  if (rows.empty()) return {};
  left_out += rows.size() - std::min(rows.size(), rows_max);
  rows.resize(std::min(rows.size(), rows_max));
  std::vector<Column> columns{{"", "operation", false, {}},   {"", "algorithm", false, {}}, {"", "ranks", true, {}},
                              {"", "size", true, {}},         {"", "calls", true, {}},      {"", "steps", true, {}},
                              {"", "each", true, {}},         {"", "longest", true, {}},    {"", "late", true, {}},
                              {"", "bus bandwidth", true, {}}};
  const bool points = result.points.size() > 1;
  const bool named = std::ranges::any_of(rows, [](const Row& row) { return !row.sum.record.name.empty(); });
  if (named) columns.insert(columns.begin() + 1, Column{"", "of", false, {}});
  if (points) columns.insert(columns.begin(), Column{"", "point", false, {}});
  for (const auto& [point, sum] : rows) {
    const CollectiveRecord& record = sum.record;
    const bool sized = bus_factor(record.operation, record.ranks) > 0.0 && record.bytes > Bytes{};
    const auto calls = static_cast<double>(record.calls);
    std::vector<Cell> cells{{operation_name(record.operation)},
                            {record.algorithm},
                            {fmt::format("{}", record.ranks)},
                            {sized ? size_text(sum) : ""},
                            {fmt::format("{}", record.calls)},
                            {fmt::format("{}", record.steps)},
                            {to_text(record.time / calls)},
                            {to_text(record.time_max)},
                            {late_text(record)},
                            {sized ? to_text(record.bus_bandwidth()) : ""}};
    if (named) cells.insert(cells.begin() + 1, Cell{record.name});
    if (points) cells.insert(cells.begin(), Cell{point});
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].cells.push_back(cells[c]);
  }
  std::string out = bold(points ? "The longest collective of each point\n" : "Collectives\n", color);
  out += render(columns, points ? 1 : 2, width, color);
  if (left_out > 0) out += fmt::format("... and {} more kinds of call in result.json\n", left_out);
  return out;
}

}  // namespace orrery::show
