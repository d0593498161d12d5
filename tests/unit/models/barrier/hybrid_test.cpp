#include "models/barrier/hybrid.hpp"

#include <doctest/doctest.h>

#include <random>

#include "models/barrier/exhaustive.hpp"
#include "sim/core/pattern_knowledge.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

/// Ranks on nodes: 1 us and 0.2 us within one, 33 us and 4 us between two.
SignalCosts on_nodes(std::vector<std::uint32_t> node_of) {
  const auto near_by = [node_of](std::uint32_t i, std::uint32_t j) { return node_of[i] == node_of[j]; };
  return {.ranks = static_cast<std::uint32_t>(node_of.size()),
          .invocation = [](std::uint32_t) { return 0.1_us; },
          .overhead = [=](std::uint32_t i, std::uint32_t j) { return near_by(i, j) ? 0.2_us : 4_us; },
          .latency = [=](std::uint32_t i, std::uint32_t j) { return near_by(i, j) ? 1_us : 33_us; }};
}

SignalCosts random_costs(std::uint32_t ranks, std::mt19937& random) {
  std::vector<std::vector<double>> cost(ranks, std::vector<double>(ranks));
  for (auto& row : cost)
    for (double& value : row) value = 10.0 + static_cast<double>(random() % 10);
  return {.ranks = ranks,
          .invocation = [](std::uint32_t) { return 0.5_s; },
          .overhead = [=](std::uint32_t i, std::uint32_t j) { return Seconds(0.2 * cost[i][j]); },
          .latency = [=](std::uint32_t i, std::uint32_t j) { return Seconds(cost[i][j]); }};
}

}  // namespace

TEST_SUITE("models/barrier/hybrid") {
  TEST_CASE("The hybrid of two levels signals within nodes and then between them and then back") {
    const SignalCosts costs = on_nodes({0, 0, 0, 1, 1, 1});
    const Hybrid hybrid = hybrid_barrier(clusters_of(costs), costs);
    CHECK(hybrid.pattern ==
          StagePattern{6,
                       {PatternStage({{1, 0}, {2, 0}, {4, 3}, {5, 3}}), PatternStage({{0, 3}, {3, 0}}),
                        PatternStage({{0, 1}, {0, 2}, {3, 4}, {3, 5}})}});
    REQUIRE(hybrid.parts.size() == 3);
    CHECK(hybrid.parts[1].members == std::vector<std::uint32_t>{3, 4, 5});
    CHECK(hybrid.parts[1].algorithm == "linear");
    CHECK(hybrid.parts[2].level == 1);
    CHECK(hybrid.parts[2].algorithm == "dissemination");
    // 1 us to a leader with 2 L + O; the pivots exchange; a leader with two members who are known to wait: 4 L + O_jj.
    CHECK(hybrid.cost == near(2.2_us + 70_us + 4.1_us));
  }
  TEST_CASE("Hybrids synchronise however ranks lie and in any number") {
    std::mt19937 random(11);
    for (std::uint32_t ranks = 1; ranks <= 40; ++ranks) {
      std::vector<std::uint32_t> node_of(ranks);
      for (auto& node : node_of) node = static_cast<std::uint32_t>(random() % 5);
      const SignalCosts costs = on_nodes(node_of);
      const Hybrid hybrid = hybrid_barrier(clusters_of(costs), costs);
      CHECK_FALSE(first_ignorance(hybrid.pattern));
      CHECK(pruned(hybrid.pattern) == hybrid.pattern);
      CHECK(hybrid.cost == pattern_cost(hybrid.pattern, costs).total);
    }
  }
  TEST_CASE("On nodes of eight no plain barrier costs less than the hybrid") {
    for (std::uint32_t ranks = 2; ranks <= 64; ranks += ranks < 34 ? 1 : 5) {
      std::vector<std::uint32_t> node_of(ranks);
      for (std::uint32_t r = 0; r < ranks; ++r) node_of[r] = r % ((ranks + 7) / 8);
      const SignalCosts costs = on_nodes(node_of);
      const Hybrid hybrid = hybrid_barrier(clusters_of(costs), costs);
      for (const auto& plain : {linear_pattern(ranks), tree_pattern(ranks), dissemination_pattern(ranks)})
        CHECK(hybrid.cost <= 1.000001 * pattern_cost(plain, costs).total);
    }
  }
  TEST_CASE("Hybrids for an allreduce count nobody twice and those for a reduce or bcast know what they should") {
    std::mt19937 random(13);
    for (std::uint32_t ranks = 1; ranks <= 40; ++ranks) {
      std::vector<std::uint32_t> node_of(ranks);
      for (auto& node : node_of) node = static_cast<std::uint32_t>(random() % 5);
      const SignalCosts costs = on_nodes(node_of);
      const Cluster clusters = clusters_of(costs);
      const auto made = [&](PatternGoal goal) { return hybrid_barrier(clusters, costs, goal); };
      const Hybrid sum = made(PatternGoal::allreduce);
      CHECK_FALSE(first_ignorance(sum.pattern));
      CHECK_FALSE(first_double_count(sum.pattern));
      const Hybrid up = made(PatternGoal::reduce), down = made(PatternGoal::bcast);
      CHECK_FALSE(first_ignorance(up.pattern, PatternGoal::reduce, 0));
      CHECK_FALSE(first_double_count(up.pattern));
      CHECK_FALSE(first_ignorance(down.pattern, PatternGoal::bcast, 0));
      CHECK(up.pattern.signals() == ranks - 1);
      CHECK(down.pattern.signals() == ranks - 1);
      CHECK(down.cost == pattern_cost(down.pattern, costs).total);
      CHECK(up.cost == pattern_cost_of(PatternGoal::reduce, up.pattern, costs).total);
      for (const auto& plain : {linear_pattern(ranks), tree_pattern(ranks)}) {
        const auto middle = plain.stages.begin() + static_cast<std::ptrdiff_t>(plain.stages.size() / 2);
        const StagePattern first{ranks, {plain.stages.begin(), middle}};
        CHECK(up.cost <= 1.000001 * pattern_cost_of(PatternGoal::reduce, first, costs).total);
        CHECK(down.cost <= 1.000001 * pattern_cost({ranks, {middle, plain.stages.end()}}, costs).total);
      }
    }
    const auto eight = on_nodes({0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(hybrid_barrier(clusters_of(eight), eight, PatternGoal::allreduce).pattern == dissemination_pattern(8));
  }
  TEST_CASE("A reduce over unlike links costs what its signals take their way and not back") {
    SignalCosts costs = on_nodes({0, 1, 2});
    costs.acknowledged = false;
    costs.latency = [](std::uint32_t i, std::uint32_t) { return i == 0 ? 100_us : 10_us; };  // dear from rank 0 alone
    const StagePattern arrivals{3, {PatternStage({{1, 0}, {2, 0}})}};
    CHECK(pattern_cost_of(PatternGoal::reduce, arrivals, costs).total == near(24_us));  // received one after another
    CHECK(pattern_cost_of(PatternGoal::bcast, transposed(arrivals), costs).total == near(204_us));
  }
  TEST_CASE("Dissemination in a cluster below the top is played back to let its members go") {
    Cluster all{{0, 1, 2, 3, 4, 5, 6, 7}, {Cluster{{0, 1, 2, 3}, {}}, Cluster{{4, 5, 6, 7}, {}}}};
    SignalCosts costs = on_nodes({0, 0, 0, 0, 1, 1, 1, 1});
    const Hybrid hybrid = hybrid_barrier(all, costs, PatternGoal::barrier, {});  // linear or dissemination
    CHECK_FALSE(first_ignorance(hybrid.pattern));
    CHECK(hybrid.parts[0].cost <= pattern_cost(linear_pattern(4), restricted(costs, {0, 1, 2, 3})).total);
  }
  TEST_CASE("Of two and three ranks the cheapest pattern of at most three stages is the judge of what is made") {
    std::mt19937 random(2);
    double worst = 1.0;
    for (int k = 0; k < 6; ++k) {
      const SignalCosts costs = random_costs(2 + static_cast<std::uint32_t>(k % 2), random);
      const CheapestPattern cheapest = cheapest_pattern(costs);
      CHECK_FALSE(first_ignorance(cheapest.pattern));
      CHECK(cheapest.pattern.stages.size() <= exhaustive_stages_max(costs.ranks));
      CHECK(cheapest.cost == pattern_cost(cheapest.pattern, costs).total);
      const Hybrid hybrid = hybrid_barrier(clusters_of(costs), costs);
      CHECK(cheapest.cost <= hybrid.cost);
      worst = std::max(worst, hybrid.cost / cheapest.cost);
    }
    CHECK(worst < 1.5);
    MESSAGE("the hybrid of 2 and 3 ranks costs up to " << worst << " times the cheapest of at most 3 stages");
    CHECK(cheapest_pattern(random_costs(2, random)).pattern == dissemination_pattern(2));
  }
}
