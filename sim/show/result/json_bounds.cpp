#include "sim/show/result/json_bounds.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <numeric>

#include "sim/core/result_fields.hpp"

namespace orrery::show {

namespace {

/// Whether ranks have a row each; if not, how many they are is said instead.
bool lists_ranks(std::size_t ranks) { return ranks <= ranks_max; }

/// Pairs in the matrix of who sends to whom.
std::size_t traffic_rows(const PointResult& point) {
  std::size_t rows = 0;
  for (const auto& row : point.traffic)
    rows += static_cast<std::size_t>(std::ranges::count_if(row, [](const Traffic& t) { return t.messages > 0; }));
  return rows;
}

/// Numbers in what a partitioner told of its rounds.
std::size_t numbers_of_rounds(const PointResult& point) {
  std::size_t numbers = 0;
  for (const auto& round : point.rounds) {
    numbers += 2 * round.shares.size() + round.run.times.size();
    for (const auto& of_rank : round.known) numbers += 2 * of_rank.size();
  }
  return numbers;
}

/// What was left out of several points.
struct LeftOut {
  std::size_t phases = 0, all_phases = 0, resources = 0, loads = 0, ranks = 0, matrices = 0, rounds = 0;
};

LeftOut left_out(const ScenarioResult& result) {
  LeftOut sum;
  for (const auto& point : result.points) {
    const RunResult& run = point.run;
    sum.all_phases += run.phases.size();
    sum.phases += run.phases.size() - kept(run.phases.size(), phases_max, {});
    sum.resources += run.resources.size() - kept(run.resources.size(), resources_max, {});
    const auto shown = shown_resources(run, {});
    for (std::size_t i = 0; i < shown.size(); ++i) sum.loads += shown[i] && run.resources[i].load.empty();
    if (!lists_ranks(point.layout.ranks())) sum.ranks += point.layout.ranks();
    if (traffic_rows(point) > traffic_max) ++sum.matrices;
    if (numbers_of_rounds(point) > rounds_max) sum.rounds += point.rounds.size();
  }
  return sum;
}

}  // namespace

/// One record for each phase by name: the sum of those from `first` on.
std::vector<PhaseRecord> phase_sums(const std::vector<PhaseRecord>& phases, std::size_t first) {
  std::vector<PhaseRecord> sums;
  for (std::size_t i = first; i < phases.size(); ++i) {
    auto sum = std::ranges::find(sums, phases[i].phase, &PhaseRecord::phase);
    if (sum == sums.end()) {
      sums.push_back(phases[i]);
      sums.back().iteration = iterations_together;
      continue;
    }
    sum->time += phases[i].time;
    sum->begin = std::min(sum->begin, phases[i].begin);
    sum->end = std::max(sum->end, phases[i].end);
    for (std::size_t channel = 0; channel < channel_kinds; ++channel) {
      sum->traffic[channel].messages += phases[i].traffic[channel].messages;
      sum->traffic[channel].bytes += phases[i].traffic[channel].bytes;
    }
  }
  return sums;
}

/// Which resources have a place: those that carried most of what they could.  [resources]
std::vector<bool> shown_resources(const RunResult& run, const JsonOptions& options) {
  std::vector<bool> shown(run.resources.size(), true);
  const std::size_t most = kept(run.resources.size(), resources_max, options);
  if (most == run.resources.size()) return shown;
  std::vector<std::size_t> ranked(run.resources.size());
  std::iota(ranked.begin(), ranked.end(), std::size_t{0});
  const auto used = [&](std::size_t i) { return run.resources[i].bytes.si() / run.resources[i].capacity.si(); };
  const auto has_load = [&](std::size_t i) { return !run.resources[i].load.empty(); };
  std::ranges::stable_sort(ranked, [&](std::size_t a, std::size_t b) {
    return has_load(a) != has_load(b) ? has_load(a) : used(a) > used(b);
  });
  for (std::size_t i = most; i < ranked.size(); ++i) shown[ranked[i]] = false;
  return shown;
}

Bounded::Bounded(const PointResult& whole, const JsonOptions& options) : whole_(whole) {
  const RunResult& run = whole.run;
  const std::size_t phases = kept(run.phases.size(), phases_max, options),
                    resources = kept(run.resources.size(), resources_max, options);
  const bool matrix = traffic_rows(whole) <= traffic_max, rounds = numbers_of_rounds(whole) <= rounds_max,
             ranks = lists_ranks(whole.layout.ranks()),
             parts = !whole.partition || lists_ranks(whole.partition->ranks()),
             names = whole.node_names.size() <= ranks_max;
  if (options.full ||
      (phases == run.phases.size() && resources == run.resources.size() && matrix && rounds && ranks && parts && names))
    return;
  PointResult& point = cut_.emplace(whole);
  phases_left_out_ = run.phases.size() - phases;
  point.run.phases.resize(phases);
  for (auto& sum : phase_sums(run.phases, phases)) point.run.phases.push_back(std::move(sum));
  const auto shown = shown_resources(run, options);
  std::size_t at = 0;
  std::erase_if(point.run.resources, [&](const ResourceRecord&) { return !shown[at++]; });
  if (!matrix) point.traffic.clear();
  if (!rounds) point.rounds.clear();
  if (!parts) point.partition.reset();
  if (!names) point.node_names.resize(ranks_max);
  if (ranks) return;
  ranks_left_out_ = whole.layout.ranks();
  point.layout.placements.clear();
}

std::string left_out_of_json(const ScenarioResult& result) {
  const LeftOut sum = left_out(result);
  std::vector<std::string> parts;
  if (sum.phases > 0)
    parts.push_back(fmt::format("{} of {} phase records (their sums are kept)", sum.phases, sum.all_phases));
  if (sum.resources > 0) parts.push_back(fmt::format("{} less busy resources", sum.resources));
  if (sum.loads > 0) parts.push_back(fmt::format("the loads over time of {} less busy resources", sum.loads));
  if (sum.ranks > 0) parts.push_back(fmt::format("the places of {} ranks", sum.ranks));
  if (sum.matrices > 0)
    parts.push_back(fmt::format("{} {} of who sends to whom", sum.matrices, sum.matrices == 1 ? "matrix" : "matrices"));
  if (sum.rounds > 0) parts.push_back(fmt::format("{} rounds of measuring", sum.rounds));
  return parts.empty() ? "" : fmt::format("{}; --full writes them", fmt::join(parts, ", "));
}

}  // namespace orrery::show
