#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/core/quantity_text.hpp"
#include "sim/core/units.hpp"
#include "sim/show/charts/svg.hpp"
#include "sim/show/tables/text_grid.hpp"
#include "sim/study/search/allocate_job.hpp"

namespace orrery::study {

namespace {

std::string search_words(const AllocatedJob& job) {
  std::string text;
  const auto add = [&](const char* name, const AllocationSearch& found, double took) {
    text += fmt::format("  {}: {} of {:g} configurations examined", name, found.examined, job.configurations);
    if (found.cut > 0) text += fmt::format(", {} branches cut", found.cut);
    text += fmt::format(" ({:.3g} s", took);
    if (took > 0.01) text += fmt::format(", {:.2g} million a second", static_cast<double>(found.examined) / took / 1e6);
    text += ")\n";
  };
  if (job.exhaustive) add("exhaustive", *job.exhaustive, job.exhaustive_s);
  if (job.branch_and_bound) add("branch and bound", *job.branch_and_bound, job.branch_and_bound_s);
  return text;
}

/// The best of some numbers of ranks: all that are no more than a dozen.
std::string by_ranks_table(const AllocateAnswer& answer, const AllocatedJob& job, std::size_t width, bool color) {
  constexpr std::size_t rows_max = 12;
  std::vector<Allocation> rows;
  for (const auto& [ranks, one] : job.by_ranks) rows.push_back(one);
  std::ranges::sort(rows, [&](const auto& a, const auto& b) { return better(a, b, answer.objective); });
  if (rows.size() > rows_max) rows.resize(rows_max);
  std::vector<show::Column> columns{{"", "ranks", true, {}}, {"", "configuration", false, {}}, {"", "time", true, {}}};
  if (answer.priced) columns.push_back({"", "cost", true, {}});
  if (answer.powered) columns.push_back({"", "energy", true, {}});
  for (const auto& row : rows) {
    const auto tint = &row == &rows.front() ? show::Tint::good : show::Tint::plain;
    std::size_t c = 0;
    columns[c++].cells.push_back({std::to_string(row.ranks), tint});
    columns[c++].cells.push_back({"(" + row.configuration.text() + ")", tint});
    columns[c++].cells.push_back({to_text(Seconds(row.seconds)), tint});
    if (answer.priced) columns[c++].cells.push_back({fmt::format("{:.4g}", row.cost), tint});
    if (answer.powered) columns[c++].cells.push_back({fmt::format("{:.4g} J", row.energy), tint});
  }
  return show::render(columns, 1, width, color);
}

const char* objective_word(AllocationObjective objective) {
  return objective == AllocationObjective::time ? "time" : objective == AllocationObjective::cost ? "cost" : "energy";
}

nlohmann::ordered_json allocation_json(const Allocation& one) {
  return {{"configuration", one.configuration.text()},
          {"ranks", one.ranks},
          {"time_s", one.seconds},
          {"cost", one.cost},
          {"energy_J", one.energy}};
}

nlohmann::ordered_json search_json(const AllocationSearch& found) {
  return {{"examined", found.examined}, {"branches_cut", found.cut}};
}

}  // namespace

std::string allocate_text(const AllocateAnswer& answer, std::size_t width, bool color) {
  std::string text =
      show::bold(fmt::format("{}: the configuration of least {}", answer.title, objective_word(answer.objective)),
                 color) +
      "\n";
  for (const AllocatedJob& job : answer.jobs) {
    text += fmt::format("\nsize {:g} on {}\n", job.size,
                        job.left.empty() ? "no node" : fmt::format("{}", fmt::join(job.left, ", ")));
    if (!job.best) {
      text += "  nothing that is left may run it: it waits\n";
      continue;
    }
    text += fmt::format("  best: ({}), {} ranks, expected {}", job.best->configuration.text(), job.best->ranks,
                        to_text(Seconds(job.best->seconds)));
    if (answer.priced) text += fmt::format(", cost {:.4g}", job.best->cost);
    if (answer.powered) text += fmt::format(", {:.4g} J", job.best->energy);
    if (job.fastest_s != 0.0) text += fmt::format("; the fastest takes {}", to_text(Seconds(job.fastest_s)));
    text += "\n";
    if (!job.beyond.empty()) text += fmt::format("  extrapolated: {}\n", job.beyond);
    text += search_words(job);
    if (!job.by_ranks.empty()) text += "\n" + by_ranks_table(answer, job, width, color);
  }
  for (const auto& note : answer.notes) text += fmt::format("note: {}\n", note);
  return text;
}

std::string allocate_csv(const AllocateAnswer& answer) {
  std::string text = "job,size,ranks,configuration,time_s,cost,energy_J\n";
  for (std::size_t j = 0; j < answer.jobs.size(); ++j)
    for (const auto& [ranks, one] : answer.jobs[j].by_ranks)
      text += fmt::format("{},{},{},\"{}\",{},{},{}\n", j + 1, answer.jobs[j].size, ranks, one.configuration.text(),
                          one.seconds, one.cost, one.energy);
  return text;
}

std::string allocate_json(const AllocateAnswer& answer) {
  using Json = nlohmann::ordered_json;
  Json jobs = Json::array();
  for (const auto& job : answer.jobs) {
    Json one{{"size", job.size}, {"configurations", job.configurations}};
    one["best"] = job.best ? allocation_json(*job.best) : Json();
    if (job.exhaustive) one["exhaustive"] = search_json(*job.exhaustive);
    if (job.branch_and_bound) one["branch_and_bound"] = search_json(*job.branch_and_bound);
    one["by_ranks"] = Json::array();
    for (const auto& [ranks, best] : job.by_ranks) one["by_ranks"].push_back(allocation_json(best));
    jobs.push_back(std::move(one));
  }
  return Json{{"title", answer.title}, {"objective", objective_word(answer.objective)}, {"jobs", jobs}}.dump(1) + "\n";
}

std::string allocate_svg(const AllocateAnswer& answer) {
  std::vector<show::Series> series;
  for (const auto& job : answer.jobs) {
    show::Series one{.name = fmt::format("size {:g}", job.size), .x = {}, .y = {}};
    for (const auto& [ranks, best] : job.by_ranks) {
      one.x.push_back(ranks);
      one.y.push_back(best.seconds);
    }
    series.push_back(std::move(one));
  }
  return show::line_chart_svg(series, {.title = answer.title + ": the best of each number of ranks",
                                       .x = {.title = "ranks"},
                                       .y = {.title = "expected time (s)", .log = true}});
}

}  // namespace orrery::study
