#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/show/summary/time_format.hpp"
#include "sim/show/summary/what_if.hpp"
#include "sim/show/tables/part_tables.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::show {

std::string what_if_table(const ScenarioResult& result, std::size_t width, bool color) {
  constexpr std::size_t rows_max = 20;
  const auto all = what_if_rows(result);
  if (all.size() < 2) return {};
  const std::vector<WhatIfRow> rows(all.begin(),
                                    all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), rows_max)));
  std::vector<double> times_s;
  for (const WhatIfRow& row : rows) {
    times_s.push_back(row.without.si());
    if (std::isfinite(row.slowdown)) times_s.push_back(row.with.si());
  }
  const TimeFormat format = time_format(times_s);
  std::vector<Column> columns;
  const auto add = [&](const char* group, const std::string& header, bool right, const auto& text) {
    columns.push_back({group, header, right, {}});
    for (const WhatIfRow& row : rows) columns.back().cells.push_back({text(row)});
  };
  const std::string unit = format.unit;
  add("", "fault", false, [](const WhatIfRow& row) { return row.fault; });
  if (std::ranges::any_of(rows, [](const WhatIfRow& row) { return !row.others.empty(); }))
    add("", "of", false, [](const WhatIfRow& row) { return row.others; });
  const bool of_jobs = !rows.front().job.empty();
  if (of_jobs) add("", "job", false, [](const WhatIfRow& row) { return row.job; });
  add("without", unit, true, [&](const WhatIfRow& row) { return format(row.without.si()); });
  add("with it", unit, true,
      [&](const WhatIfRow& row) { return std::isfinite(row.slowdown) ? format(row.with.si()) : std::string("-"); });
  add("", of_jobs ? "the job is" : "the run is", true,
      [](const WhatIfRow& row) { return slowdown_words(row.slowdown); });
  std::string text = bold("Faults by what they cost\n", color) + render(columns, 1, width, color);
  if (rows.size() < all.size())
    text +=
        wrapped(fmt::format("and {} more, none of which costs more than the last of these", all.size() - rows.size()),
                width, "  ");
  return text;
}

}  // namespace orrery::show
