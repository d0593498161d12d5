#include "sim/core/stage_pattern.hpp"

#include <doctest/doctest.h>

#include "kernels/barrier_steps.hpp"

using namespace orrery;

namespace {

PatternStage stage(std::vector<Signal> signals) { return PatternStage(std::move(signals)); }

/// The stages that the kernel `barrier` plays.
StagePattern played(BarrierAlgorithm algorithm, std::uint32_t ranks, std::uint32_t degree) {
  const BarrierPlan plan{.algorithm = algorithm, .ranks = ranks, .degree = degree};
  StagePattern pattern{ranks, {}};
  for (std::uint32_t s = 0; s < barrier_stages(plan); ++s) {
    std::vector<Signal> signals;
    BarrierSignals of_rank;
    for (std::uint32_t i = 0; i < ranks; ++i) {
      barrier_signals(plan, s, Rank{i}, of_rank);
      for (const Rank to : of_rank.destinations) signals.push_back({i, static_cast<std::uint32_t>(to)});
    }
    pattern.stages.emplace_back(std::move(signals));
  }
  return pattern;
}

}  // namespace

TEST_SUITE("core/stage pattern") {
  TEST_CASE("Patterns of four ranks are those of Meyer's figures 5.2 to 5.4") {
    CHECK(linear_pattern(4) == StagePattern{4, {stage({{1, 0}, {2, 0}, {3, 0}}), stage({{0, 1}, {0, 2}, {0, 3}})}});
    CHECK(dissemination_pattern(4) ==
          StagePattern{4, {stage({{0, 1}, {1, 2}, {2, 3}, {3, 0}}), stage({{0, 2}, {1, 3}, {2, 0}, {3, 1}})}});
    CHECK(tree_pattern(4) ==
          StagePattern{4, {stage({{1, 0}, {3, 2}}), stage({{2, 0}}), stage({{0, 2}}), stage({{0, 1}, {2, 3}})}});
  }
  TEST_CASE("Patterns are the stages that the barrier kernel plays") {
    for (std::uint32_t ranks = 1; ranks <= 33; ++ranks) {
      CHECK(linear_pattern(ranks) == played(BarrierAlgorithm::linear, ranks, 2));
      CHECK(dissemination_pattern(ranks) == played(BarrierAlgorithm::dissemination, ranks, 2));
      for (const std::uint32_t degree : {2u, 3u, 7u})
        CHECK(tree_pattern(ranks, degree) == played(BarrierAlgorithm::tree, ranks, degree));
    }
  }
  TEST_CASE("A stage knows its signals by sender and by receiver and counts repeated ones once") {
    const PatternStage some({{3, 1}, {0, 2}, {3, 0}, {3, 1}});
    CHECK(some.signals().size() == 3);
    REQUIRE(some.sent_by(3).size() == 2);
    CHECK(some.sent_by(3)[0] == Signal{3, 0});
    REQUIRE(some.received_by(1).size() == 1);
    CHECK(some.received_by(1)[0] == Signal{3, 1});
    CHECK(some.sent_by(1).empty());
  }
  TEST_CASE("Transposing a pattern turns its signals round and its stages upside down") {
    CHECK(transposed(StagePattern{3, {stage({{1, 0}}), stage({{2, 0}})}}) ==
          StagePattern{3, {stage({{0, 2}}), stage({{0, 1}})}});
    CHECK(transposed(tree_pattern(13)) == tree_pattern(13));
  }
  TEST_CASE("A pattern among some ranks keeps its stages and takes their numbers") {
    const std::vector<std::uint32_t> members{4, 1};
    CHECK(embedded(linear_pattern(2), members, 5) == StagePattern{5, {stage({{1, 4}}), stage({{4, 1}})}});
    StagePattern both = embedded(linear_pattern(2), members, 5);
    overlay(both, StagePattern{5, {stage({{0, 3}})}}, 1);
    overlay(both, StagePattern{5, {stage({})}}, 2);
    CHECK(both == StagePattern{5, {stage({{1, 4}}), stage({{4, 1}, {0, 3}}), stage({})}});
    CHECK(pruned(both).stages.size() == 2);
    CHECK(both.signals() == 3);
  }
}
