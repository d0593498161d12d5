#include "kernels/barrier_steps.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

/// Stages until groups of degree^s ranks hold all of them.
std::uint32_t levels(std::uint32_t ranks, std::uint32_t degree) {
  std::uint32_t count = 0;
  for (std::uint64_t reach = 1; reach < ranks; reach *= degree) ++count;
  return count;
}

void linear_signals(std::uint32_t ranks, bool arrival, std::uint32_t me, BarrierSignals& into) {
  auto& of_root = arrival ? into.sources : into.destinations;
  auto& of_others = arrival ? into.destinations : into.sources;
  if (me != 0) return of_others.push_back(Rank{0});
  for (std::uint32_t r = 1; r < ranks; ++r) of_root.push_back(Rank{r});
}

void dissemination_signals(std::uint32_t ranks, std::uint32_t stage, std::uint32_t me, BarrierSignals& into) {
  const std::uint64_t distance = std::uint64_t{1} << stage;
  into.sources.push_back(Rank{static_cast<std::uint32_t>((me + ranks - distance) % ranks)});
  into.destinations.push_back(Rank{static_cast<std::uint32_t>((me + distance) % ranks)});
}

void tree_signals(const BarrierPlan& plan, std::uint32_t stage, std::uint32_t me, BarrierSignals& into) {
  const std::uint32_t up = levels(plan.ranks, plan.degree);
  const bool arrival = stage < up;
  const std::uint32_t level = arrival ? stage : 2 * up - 1 - stage;
  std::uint64_t step = 1;
  for (std::uint32_t s = 0; s < level; ++s) step *= plan.degree;
  const std::uint64_t group = step * plan.degree;
  auto& of_leader = arrival ? into.sources : into.destinations;
  auto& of_members = arrival ? into.destinations : into.sources;
  if (me % step != 0) return;
  if (me % group != 0) return of_members.push_back(Rank{static_cast<std::uint32_t>(me - me % group)});
  for (std::uint64_t r = me + step; r < std::min<std::uint64_t>(me + group, plan.ranks); r += step)
    of_leader.push_back(Rank{static_cast<std::uint32_t>(r)});
}

void pattern_signals(const PatternStage& stage, std::uint32_t me, BarrierSignals& into) {
  for (const Signal& signal : stage.received_by(me)) into.sources.push_back(Rank{signal.from});
  for (const Signal& signal : stage.sent_by(me)) into.destinations.push_back(Rank{signal.to});
}

}  // namespace

const std::vector<std::string>& barrier_names() {
  static const std::vector<std::string> names = [] {
    auto all = words_of(barrier_words);
    std::erase(all, word_of(barrier_words, BarrierAlgorithm::pattern));
    return all;
  }();
  return names;
}

BarrierAlgorithm barrier_algorithm(const std::string& name) {
  const auto algorithm = meaning_of(barrier_words, name);
  if (!algorithm)
    throw InputError("barrier: unknown algorithm '{}'{}", name, known_names(name, words_of(barrier_words)));
  return *algorithm;
}

std::uint32_t barrier_stages(const BarrierPlan& plan) {
  if (plan.ranks <= 1) return 0;
  switch (plan.algorithm) {
    case BarrierAlgorithm::none:
    case BarrierAlgorithm::ideal:
      return 0;
    case BarrierAlgorithm::linear:
      return 2;
    case BarrierAlgorithm::dissemination:
      return levels(plan.ranks, 2);
    case BarrierAlgorithm::tree:
      return 2 * levels(plan.ranks, plan.degree);
    case BarrierAlgorithm::pattern:
      return static_cast<std::uint32_t>(plan.pattern->stages.size());
  }
  return 0;
}

void barrier_signals(const BarrierPlan& plan, std::uint32_t stage, Rank me, BarrierSignals& into) {
  into.sources.clear();
  into.destinations.clear();
  const auto mine = static_cast<std::uint32_t>(me);
  switch (plan.algorithm) {
    case BarrierAlgorithm::none:
    case BarrierAlgorithm::ideal:
      return;
    case BarrierAlgorithm::linear:
      return linear_signals(plan.ranks, stage == 0, mine, into);
    case BarrierAlgorithm::dissemination:
      return dissemination_signals(plan.ranks, stage, mine, into);
    case BarrierAlgorithm::tree:
      return tree_signals(plan, stage, mine, into);
    case BarrierAlgorithm::pattern:
      return pattern_signals(plan.pattern->stages[stage], mine, into);
  }
}

Generator<Step> barrier_steps(BarrierPlan plan, Rank me) {
  if (plan.algorithm == BarrierAlgorithm::ideal) co_yield barrier();
  const std::uint32_t stages = barrier_stages(plan);
  if (stages == 0) co_return;
  BarrierSignals signals;
  const char* algorithm = word_of(barrier_words, plan.algorithm);
  const CollectiveCall marked{Operation::barrier, 0, algorithm, Bytes(0.0), Group::world(plan.ranks)};
  co_yield collective_begin(marked);
  for (std::uint32_t stage = 0; stage < stages; ++stage) {
    barrier_signals(plan, stage, me, signals);
    std::uint32_t request = plan.first_request;
    for (const Rank source : signals.sources) co_yield irecv(source, plan.signal, plan.tag, RequestId{request++});
    for (const Rank to : signals.destinations) co_yield isend(to, plan.signal, plan.tag, RequestId{request++});
    const std::uint32_t open = request - plan.first_request;
    if (open > 0) co_yield wait_all(RequestId{plan.first_request}, open);
  }
  co_yield collective_end();
}

}  // namespace orrery
