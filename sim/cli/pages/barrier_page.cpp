#include "sim/cli/pages/barrier_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "sim/core/quantity_text.hpp"
#include "sim/show/tables/text_grid.hpp"

namespace orrery::cli {

using namespace study;

namespace {

constexpr std::size_t signals_shown = 12, parts_shown = 40;

std::string known_text(const BarrierRow& row) {
  if (row.counts_twice) return fmt::format("no: {} counts {} twice", row.counts_twice->who, row.counts_twice->of);
  return row.refuted ? fmt::format("no: {} does not know of {}", row.refuted->who, row.refuted->of) : "yes";
}

std::string table_text(const BarrierAnswer& answer, std::size_t width, bool color) {
  using show::Column;
  const bool costs = std::ranges::any_of(answer.rows, [](const auto& row) { return row.cost.has_value(); });
  const bool times = std::ranges::any_of(answer.rows, [](const auto& row) { return row.simulated.has_value(); });
  std::vector<Column> columns{{"", answer.goal, false, {}}, {"", "stages", true, {}}, {"", "signals", true, {}}};
  if (costs) columns.push_back({"", "cost", true, {}});
  if (times) columns.push_back({"", "simulated", true, {}});
  const char* proved = answer.goal == "allreduce" ? "sums all"
                       : answer.goal == "reduce"  ? "root knows all"
                       : answer.goal == "bcast"   ? "all know root"
                                                  : "all know";
  columns.push_back({"", proved, false, {}});
  for (const BarrierRow& row : answer.rows) {
    std::vector<std::string> cells{row.name, std::to_string(row.pattern.stages.size()),
                                   std::to_string(row.pattern.signals())};
    if (costs) cells.push_back(row.cost ? to_text(*row.cost) : "");
    if (times) cells.push_back(row.simulated ? to_text(*row.simulated) : "");
    cells.push_back(known_text(row));
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].cells.push_back({cells[c]});
  }
  return show::render(columns, 1, width, color);
}

std::string parts_text(const Hybrid& hybrid, std::size_t width, bool color) {
  using show::Column;
  std::vector<Column> columns{
      {"", "level", true, {}}, {"", "ranks", false, {}}, {"", "algorithm", false, {}}, {"", "cost", true, {}}};
  for (std::size_t i = 0; i < std::min(parts_shown, hybrid.parts.size()); ++i) {
    const HybridPart& part = hybrid.parts[i];
    const std::vector<std::string> cells{std::to_string(part.level), ranks_text(part.members), part.algorithm,
                                         to_text(part.cost)};
    for (std::size_t c = 0; c < columns.size(); ++c) columns[c].cells.push_back({cells[c]});
  }
  std::string text = show::render(columns, 1, width, color);
  if (hybrid.parts.size() > parts_shown) text += fmt::format("and {} more\n", hybrid.parts.size() - parts_shown);
  return text;
}

std::string stages_text(const StagePattern& pattern) {
  std::string text;
  for (std::size_t s = 0; s < pattern.stages.size(); ++s) {
    const auto signals = pattern.stages[s].signals();
    text += fmt::format("  stage {:<2} {:>4} signals:", s, signals.size());
    for (std::size_t i = 0; i < std::min(signals_shown, signals.size()); ++i)
      text += fmt::format(" {}>{}", signals[i].from, signals[i].to);
    text += signals.size() > signals_shown ? " ...\n" : "\n";
  }
  return text;
}

nlohmann::ordered_json stages_json(const StagePattern& pattern) {
  auto stages = nlohmann::ordered_json::array();
  for (const PatternStage& stage : pattern.stages) {
    auto signals = nlohmann::ordered_json::array();
    for (const auto& [from, to] : stage.signals()) signals.push_back({from, to});
    stages.push_back(std::move(signals));
  }
  return stages;
}

}  // namespace

std::string ranks_text(const std::vector<std::uint32_t>& ranks) {
  std::vector<std::string> runs;
  for (std::size_t first = 0; first < ranks.size();) {
    std::size_t last = first;
    const std::uint32_t step = first + 1 < ranks.size() ? ranks[first + 1] - ranks[first] : 1;
    while (last + 1 < ranks.size() && ranks[last + 1] > ranks[last] && ranks[last + 1] - ranks[last] == step) ++last;
    if (last - first < 2) last = first;  // two ranks are no run
    runs.push_back(last == first ? std::to_string(ranks[first])
                   : step == 1   ? fmt::format("{}-{}", ranks[first], ranks[last])
                                 : fmt::format("{}-{} by {}", ranks[first], ranks[last], step));
    first = last + 1;
  }
  return fmt::format("{}", fmt::join(runs, ", "));
}

std::vector<std::vector<std::uint32_t>> innermost(const Cluster& cluster) {
  if (cluster.parts.empty()) return {cluster.members};
  std::vector<std::vector<std::uint32_t>> all;
  for (const Cluster& part : cluster.parts)
    for (auto& members : innermost(part)) all.push_back(std::move(members));
  return all;
}

std::string barrier_text(const BarrierAnswer& answer, std::size_t width, bool color) {
  std::string text = show::bold(answer.title, color) + "\n\n" + table_text(answer, width, color);
  if (answer.hybrid) {
    const std::size_t clusters = innermost(*answer.clusters).size();
    text += fmt::format("\nhybrid, {} cluster{}\n\n", clusters, clusters == 1 ? "" : "s");
    text += parts_text(*answer.hybrid, width, color) + "\n" + stages_text(answer.hybrid->pattern);
  }
  for (const auto& note : answer.notes) text += "\n" + show::wrapped(note, width);
  return text + (answer.notes.empty() ? "" : "\n");
}

std::string barrier_json(const BarrierAnswer& answer) {
  nlohmann::ordered_json json{{"title", answer.title},
                              {"ranks", answer.ranks},
                              {"goal", answer.goal},
                              {"algorithms", nlohmann::ordered_json::array()}};
  for (const BarrierRow& row : answer.rows) {
    nlohmann::ordered_json entry{{"name", row.name},
                                 {"stages", row.pattern.stages.size()},
                                 {"signals", row.pattern.signals()},
                                 {"all_know", !row.refuted}};
    if (row.refuted) entry["refuted_by"] = {{"who", row.refuted->who}, {"of", row.refuted->of}};
    if (answer.goal == "allreduce") entry["sums_all"] = !row.refuted && !row.counts_twice;
    if (row.counts_twice) entry["counted_twice"] = {{"who", row.counts_twice->who}, {"of", row.counts_twice->of}};
    if (row.cost) entry["cost_s"] = row.cost->si();
    if (row.simulated) entry["simulated_s"] = row.simulated->si();
    json["algorithms"].push_back(std::move(entry));
  }
  if (answer.hybrid) {
    json["clusters"] = innermost(*answer.clusters);
    auto parts = nlohmann::ordered_json::array();
    for (const HybridPart& part : answer.hybrid->parts)
      parts.push_back({{"level", part.level},
                       {"members", part.members},
                       {"algorithm", part.algorithm},
                       {"cost_s", part.cost.si()}});
    json["hybrid"] = {{"parts", std::move(parts)}, {"stages", stages_json(answer.hybrid->pattern)}};
  }
  json["notes"] = answer.notes;
  return json.dump(2) + "\n";
}

}  // namespace orrery::cli
