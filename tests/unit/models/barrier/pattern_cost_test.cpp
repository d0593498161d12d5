#include "models/barrier/pattern_cost.hpp"

#include <doctest/doctest.h>

#include <random>

#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

/// O_ii = 0.5 s, O_ij = 2 s and L_ij = 10 s, whoever i and j.
SignalCosts even(std::uint32_t ranks) {
  return {.ranks = ranks,
          .invocation = [](std::uint32_t) { return 0.5_s; },
          .overhead = [](std::uint32_t, std::uint32_t) { return 2_s; },
          .latency = [](std::uint32_t, std::uint32_t) { return 10_s; }};
}

SignalCosts random_costs(std::uint32_t ranks, std::mt19937& random) {
  std::vector<std::vector<double>> overhead(ranks, std::vector<double>(ranks)), latency = overhead;
  for (auto* matrix : {&overhead, &latency})
    for (auto& row : *matrix)
      for (double& value : row) value = 1.0 + static_cast<double>(random() % 100);
  return {.ranks = ranks,
          .invocation = [=](std::uint32_t i) { return Seconds(overhead[i][i]); },
          .overhead = [=](std::uint32_t i, std::uint32_t j) { return Seconds(overhead[i][j]); },
          .latency = [=](std::uint32_t i, std::uint32_t j) { return Seconds(latency[i][j]); }};
}

/// Condition 2 as section 5.6.5 says it, stage by stage backwards.
bool known_to_wait(const StagePattern& pattern, std::uint32_t j, std::uint32_t i, std::size_t s) {
  for (std::size_t before = s; before-- > 0;) {
    const auto sent = pattern.stages[before].sent_by(j);
    if (sent.empty() && pattern.stages[before].received_by(j).empty()) continue;
    bool signalled = false;
    for (const Signal& signal : sent) signalled = signalled || signal.to == i;
    return signalled && before + 1 < s;
  }
  return false;
}

/// The recursion over all paths of figure 6.2, with equation 5.4 and its conditions.
double recursive(const StagePattern& pattern, const SignalCosts& costs, std::uint32_t i, std::size_t s) {
  if (s == pattern.stages.size()) return 0.0;
  double overhead = costs.invocation(i).si(), latency = 0.0;
  double rest = recursive(pattern, costs, i, s + 1);
  for (const Signal& signal : pattern.stages[s].sent_by(i)) {
    const std::uint32_t j = signal.to;
    latency += costs.latency(i, j).si() + costs.latency(j, i).si();
    overhead = std::max(overhead, (known_to_wait(pattern, j, i, s) ? costs.invocation(j) : costs.overhead(i, j)).si());
    rest = std::max(rest, recursive(pattern, costs, j, s + 1));
  }
  return overhead + latency + rest;
}

}  // namespace

TEST_SUITE("models/barrier/pattern cost") {
  TEST_CASE("A signal costs two latencies and one overhead by equation 5.4") {
    CHECK(pattern_cost({2, {PatternStage({{0, 1}})}}, even(2)).total == 22_s);
    CHECK(pattern_cost({4, {PatternStage({{0, 1}, {0, 2}, {0, 3}})}}, even(4)).total == 62_s);  // latencies add
    SignalCosts unanswered = even(4);
    unanswered.acknowledged = false;
    CHECK(pattern_cost({4, {PatternStage({{0, 1}, {0, 2}, {0, 3}})}}, unanswered).total == 32_s);
  }
  TEST_CASE("A stage in which a rank signals nobody costs its invocation") {
    CHECK(pattern_cost({2, {PatternStage(), PatternStage(), PatternStage()}}, even(2)).total == 1.5_s);
    CHECK(pattern_cost({1, {}}, even(1)).total == 0_s);
    SignalCosts dear = even(2);  // condition 1: the least cost is O_ii
    dear.overhead = [](std::uint32_t, std::uint32_t) { return 0.1_s; };
    CHECK(pattern_cost({2, {PatternStage({{0, 1}})}}, dear).total == 20.5_s);
  }
  TEST_CASE("A receiver that has done nothing for a stage since it signalled its sender costs its invocation") {
    // The tree of figure 5.4: rank 1 waits in stages 1 and 2 for rank 0, rank 2 has no stage between.
    const PatternCost tree = pattern_cost(tree_pattern(4), even(4));
    CHECK(tree.total == near(22_s + 22_s + 22_s + 20.5_s));
    REQUIRE(tree.path.size() == 4);
    CHECK(tree.path[3].cost == near(20.5_s));
    CHECK(pattern_cost(linear_pattern(2), even(2)).total == near(44_s));
    const StagePattern idle{2, {PatternStage({{1, 0}}), PatternStage(), PatternStage({{0, 1}})}};
    CHECK(pattern_cost(idle, even(2)).total == near(22_s + 0.5_s + 20.5_s));
  }
  TEST_CASE("The sweep over stages finds the dearest of all paths that the recursion traces") {
    std::mt19937 random(3);
    for (int k = 0; k < 60; ++k) {
      const auto ranks = 2 + static_cast<std::uint32_t>(random() % 9);
      const SignalCosts costs = random_costs(ranks, random);
      for (const auto& pattern :
           {linear_pattern(ranks), tree_pattern(ranks), tree_pattern(ranks, 3), dissemination_pattern(ranks)}) {
        double dearest = 0.0;
        for (std::uint32_t i = 0; i < ranks; ++i) dearest = std::max(dearest, recursive(pattern, costs, i, 0));
        const PatternCost cost = pattern_cost(pattern, costs);
        CHECK(cost.total == near(Seconds(dearest)));
        Seconds along;
        for (const auto& stage : cost.path) along += stage.cost;
        CHECK(along == near(cost.total));
      }
    }
  }
  TEST_CASE("An asymmetric link costs what it takes there and back") {
    SignalCosts costs = even(2);
    costs.latency = [](std::uint32_t i, std::uint32_t) { return i == 0 ? 10_s : 30_s; };
    CHECK(pattern_cost({2, {PatternStage({{0, 1}})}}, costs).total == 42_s);
    CHECK(signal_cost(costs, 1, 0) == 42_s);
    costs.acknowledged = false;
    CHECK(signal_cost(costs, 0, 1) == 12_s);
    CHECK(signal_cost(costs, 1, 0) == 32_s);
  }
  TEST_CASE("Costs among some ranks are theirs") {
    std::mt19937 random(5);
    const SignalCosts all = random_costs(6, random), some = restricted(all, {4, 1});
    CHECK(some.ranks == 2);
    CHECK(some.overhead(0, 1) == all.overhead(4, 1));
    CHECK(some.latency(1, 0) == all.latency(1, 4));
    CHECK(some.invocation(1) == all.invocation(1));
  }
}
