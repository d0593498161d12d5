#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/show/summary/summary.hpp"
#include "sim/show/tables/part_tables.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::show {

namespace {

std::string full_number(double value) {
  return value == 0.0 ? "0" : std::isfinite(value) ? fmt::format("{:.2g}", value) : "-";
}

Cell relative_cell(double value) {
  return {full_number(value), value <= 1e-9 ? Tint::good : value <= 1e-3 ? Tint::fair : Tint::poor};
}

struct EngineRow {
  std::string point, phase;
  std::string iterations, total;
  PhasePair absolute, relative;
  bool whole = false;  ///< the makespan: it has no iteration
};

std::vector<EngineRow> engine_rows(const ScenarioResult& result) {
  std::vector<EngineRow> rows;
  for (const auto& point : result.points) {
    if (!point.other_engine) continue;
    const auto& difference = *point.other_engine;
    const std::string label = point_label(point);
    for (const auto& phase : difference.phases)
      rows.push_back({label, phase.phase, fmt::format("{}", phase.records),
                      full_number(relative_error(phase.other, phase.shown)), phase.largest_absolute,
                      phase.largest_relative});
    const PhasePair makespan{0, difference.shown_makespan, difference.makespan};
    rows.push_back({label, "makespan", "", full_number(makespan.relative()), makespan, makespan, true});
  }
  return rows;
}

}  // namespace

std::string engine_sentence(const ScenarioResult& result) {
  const EngineRow* worst = nullptr;
  const auto rows = engine_rows(result);
  for (const auto& row : rows)
    if (worst == nullptr || row.relative.relative() > worst->relative.relative()) worst = &row;
  if (worst == nullptr) return {};
  if (worst->relative.relative() == 0.0) return "the engines agree to the last bit";
  return fmt::format("the engines differ by {} at most, relatively: {}{}, {}", full_number(worst->relative.relative()),
                     worst->phase, worst->whole ? "" : fmt::format(" of iteration {}", worst->relative.iteration),
                     worst->point);
}

std::string engine_table(const ScenarioResult& result, std::size_t width, bool color) {
  const auto rows = engine_rows(result);
  if (rows.empty()) return {};
  std::vector<Column> columns{{"", "point", false, {}},
                              {"", "phase", false, {}},
                              {"", "iterations", true, {}},
                              {"largest difference", "s", true, {}},
                              {"largest difference", "iteration", true, {}},
                              {"largest relative difference", "relative", true, {}},
                              {"largest relative difference", "iteration", true, {}},
                              {"in total", "relative", true, {}}};
  std::string before;
  for (const auto& row : rows) {
    const auto iteration = [&](const PhasePair& pair) { return row.whole ? "" : fmt::format("{}", pair.iteration); };
    const Cell cells[] = {{row.point == before ? "" : row.point},
                          {row.phase},
                          {row.iterations},
                          {full_number(row.absolute.absolute().si())},
                          {iteration(row.absolute)},
                          relative_cell(row.relative.relative()),
                          {iteration(row.relative)},
                          {row.total}};
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].cells.push_back(cells[c]);
    before = row.point;
  }
  std::string out = bold("Difference of the two engines, phase by phase\n", color) + render(columns, 2, width, color);
  for (const auto& point : result.points)
    if (point.other_engine && !point.other_engine->failure.empty())
      out +=
          wrapped(fmt::format("{}: {} {}", point_label(point), point.other_engine->engine, point.other_engine->failure),
                  width, "  ");
  return out + wrapped(engine_sentence(result), width, "  ");
}

}  // namespace orrery::show
