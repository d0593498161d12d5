#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/core/quantity_text.hpp"
#include "sim/show/summary/summary.hpp"
#include "sim/show/tables/part_tables.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::show {

namespace {

struct JobRow {
  std::string point;  ///< empty: as above
  const JobRecord* job;
};

std::vector<JobRow> job_rows(const ScenarioResult& result) {
  std::vector<JobRow> rows;
  for (const auto& point : result.points)
    for (const JobRecord& job : point.run.jobs)
      rows.push_back({&job == &point.run.jobs.front() && result.points.size() > 1 ? point_label(point) : "", &job});
  return rows;
}

Cell slowdown_cell(double slowdown) {
  if (!std::isfinite(slowdown)) return {"-", Tint::faint};
  return {fmt::format("{:.3f}", slowdown), slowdown < 1.05 ? Tint::good : slowdown < 1.5 ? Tint::fair : Tint::poor};
}

std::string between(const JobTimes& times) {
  return times.count > 1 ? fmt::format("{} .. {}", to_text(times.low), to_text(times.high)) : "";
}

}  // namespace

std::string held_back_by(const JobRecord& job) {
  if (job.links.empty() || job.links.front().bound <= Seconds{}) return {};
  const JobLink& link = job.links.front();
  return fmt::format("{} {} (alone {})", link.name, to_text(link.bound), to_text(link.alone));
}

std::string jobs_table(const ScenarioResult& result, std::size_t width, bool color) {
  const auto rows = job_rows(result);
  if (rows.empty()) return {};
  const bool repeated = std::ranges::any_of(rows, [](const JobRow& row) { return row.job->together.count > 1; });
  std::vector<Column> columns;
  const auto add = [&](const std::string& group, const std::string& header, bool right, const auto& cell) {
    columns.push_back({group, header, right, {}});
    for (const JobRow& row : rows) columns.back().cells.push_back(Cell{cell(row)});
  };
  if (result.points.size() > 1) add("", "point", false, [](const JobRow& row) { return Cell{row.point}; });
  add("", "job", false, [](const JobRow& row) { return Cell{row.job->name}; });
  const std::size_t leading = columns.size();
  add("", "ranks", true, [](const JobRow& row) { return Cell{fmt::format("{}", row.job->ranks)}; });
  if (repeated)
    add("", "times", true, [](const JobRow& row) { return Cell{fmt::format("{}", row.job->together.count)}; });
  add(repeated ? "alone" : "", repeated ? "median" : "alone", true,
      [](const JobRow& row) { return Cell{to_text(row.job->alone.median)}; });
  if (repeated) add("alone", "5 .. 95 %", true, [](const JobRow& row) { return Cell{between(row.job->alone)}; });
  add(repeated ? "together" : "", repeated ? "median" : "together", true,
      [](const JobRow& row) { return Cell{to_text(row.job->together.median)}; });
  if (repeated) add("together", "5 .. 95 %", true, [](const JobRow& row) { return Cell{between(row.job->together)}; });
  add("", "slowdown", true, [](const JobRow& row) { return slowdown_cell(row.job->slowdown()); });
  add("", "shared link that holds it back longest", false,
      [](const JobRow& row) { return Cell{held_back_by(*row.job)}; });
  const char* heading = repeated ? "Jobs, alone and together: their repetitions\n" : "Jobs, alone and together\n";
  return bold(heading, color) + fitted(columns, leading, width, color);
}

}  // namespace orrery::show
