#include "models/barrier/pattern_cost.hpp"

#include <algorithm>
#include <cassert>

namespace orrery {

namespace {

constexpr std::uint32_t not_reached = 0xffffffffu;

/// What every rank did last before a stage.
class LastActions {
 public:
  explicit LastActions(const StagePattern& pattern) : pattern_(pattern), stage_of_(pattern.ranks, not_reached) {}

  /// Condition 2, for a signal i -> j in stage s.
  bool waits(std::uint32_t j, std::uint32_t i, std::uint32_t s) const {
    const std::uint32_t last = stage_of_[j];
    if (last == not_reached || last + 2 > s) return false;
    const auto sent = pattern_.stages[last].sent_by(j);
    return std::ranges::binary_search(sent, Signal{j, i});
  }
  void enter(std::uint32_t s) {
    for (const auto& [from, to] : pattern_.stages[s].signals()) stage_of_[from] = stage_of_[to] = s;
  }

 private:
  const StagePattern& pattern_;
  std::vector<std::uint32_t> stage_of_;
};

/// cost(s, i) of every rank.
void costs_of_stage(const StagePattern& pattern, std::uint32_t s, const SignalCosts& costs, const LastActions& actions,
                    std::vector<Seconds>& into) {
  for (std::uint32_t i = 0; i < pattern.ranks; ++i) into[i] = costs.invocation(i);
  const auto signals = pattern.stages[s].signals();
  for (std::size_t k = 0; k < signals.size();) {
    const std::uint32_t i = signals[k].from;
    Seconds latencies, greatest = into[i];
    for (; k < signals.size() && signals[k].from == i; ++k) {
      const std::uint32_t j = signals[k].to;
      latencies += latency_term(costs, i, j);
      greatest = std::max(greatest, actions.waits(j, i, s) ? costs.invocation(j) : costs.overhead(i, j));
    }
    into[i] = latencies + greatest;
  }
}

}  // namespace

Seconds latency_term(const SignalCosts& costs, std::uint32_t i, std::uint32_t j) {
  return costs.acknowledged ? costs.latency(i, j) + costs.latency(j, i) : costs.latency(i, j);
}

Seconds signal_cost(const SignalCosts& costs, std::uint32_t i, std::uint32_t j) {
  return latency_term(costs, i, j) + std::max(costs.invocation(i), costs.overhead(i, j));
}

PatternCost pattern_cost(const StagePattern& pattern, const SignalCosts& costs) {
  assert(pattern.ranks == costs.ranks);
  const auto stages = static_cast<std::uint32_t>(pattern.stages.size());
  std::vector<Seconds> reached(pattern.ranks), next(pattern.ranks), cost(pattern.ranks);
  std::vector<std::vector<std::uint32_t>> before(stages, std::vector<std::uint32_t>(pattern.ranks));
  std::vector<std::vector<Seconds>> paid;
  LastActions actions(pattern);
  for (std::uint32_t s = 0; s < stages; ++s) {
    costs_of_stage(pattern, s, costs, actions, cost);
    for (std::uint32_t j = 0; j < pattern.ranks; ++j) {
      next[j] = reached[j] + cost[j];
      before[s][j] = j;
    }
    for (const auto& [from, to] : pattern.stages[s].signals())
      if (const Seconds arrival = reached[from] + cost[from]; arrival > next[to]) {
        next[to] = arrival;
        before[s][to] = from;
      }
    std::swap(reached, next);
    paid.push_back(cost);
    actions.enter(s);
  }
  PatternCost result;
  if (reached.empty()) return result;
  auto rank = static_cast<std::uint32_t>(std::ranges::max_element(reached) - reached.begin());
  result.total = reached[rank];
  for (std::uint32_t s = stages; s-- > 0;) {
    rank = before[s][rank];
    result.path.push_back({rank, paid[s][rank]});
  }
  std::ranges::reverse(result.path);
  return result;
}

SignalCosts restricted(const SignalCosts& costs, const std::vector<std::uint32_t>& members) {
  const auto count = static_cast<std::uint32_t>(members.size());
  SignalCosts some{
      .ranks = count,
      .invocation = [costs, members](std::uint32_t i) { return costs.invocation(members[i]); },
      .overhead = [costs, members](std::uint32_t i, std::uint32_t j) { return costs.overhead(members[i], members[j]); },
      .latency = [costs, members](std::uint32_t i, std::uint32_t j) { return costs.latency(members[i], members[j]); },
      .acknowledged = costs.acknowledged};
  if (costs.place) some.place = [costs, members](std::uint32_t i) { return costs.place(members[i]); };
  if (costs.where)
    some.where = [costs, members](std::uint32_t i, std::uint32_t j) { return costs.where(members[i], members[j]); };
  return some;
}

}  // namespace orrery
