#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/speed_problems.hpp"

using namespace orrery;
using namespace orrery::test;
using Heights = std::vector<std::uint32_t>;

namespace {

std::vector<PartitionRound> rounds_of(PartitionProblem problem, Heights& heights) {
  std::vector<PartitionRound> rounds;
  problem.watch = [&](const PartitionRound& round) { rounds.push_back(round); };
  heights = heights_of("dfpa-1d", problem);
  return rounds;
}

}  // namespace

TEST_SUITE("models/partition/dfpa-1d") {
  TEST_CASE("DFPA keeps the even division where it is balanced to epsilon") {
    Heights heights;
    PartitionProblem problem{{3, 400}, {1.0, 1.02, 1.01, 1.0}};
    CHECK(rounds_of(problem, heights).size() == 1);
    CHECK(heights == Heights{100, 100, 100, 100});
    problem.accuracy = 0.001;
    CHECK(rounds_of(problem, heights).size() > 1);
  }

  TEST_CASE("DFPA divides by constants after one round and ends when constants were true") {
    Heights heights;
    const auto rounds = rounds_of({{2, 40}, {3.0, 1.0}}, heights);
    CHECK(heights == Heights{30, 10});
    REQUIRE(rounds.size() == 2);
    CHECK(rounds[0].shares[0].rows == 20.0);
    CHECK(rounds[0].known.empty());
    CHECK(rounds[0].imbalance == near(2.0));
    CHECK(rounds[1].known[0] == std::vector<SpeedPoint>{{20.0, 1.5}});  // 3 blocks/s on 2 columns
    CHECK(rounds[1].imbalance == 0.0);
  }

  TEST_CASE("A processor between light and heavy paging makes DFPA look to the left and to the right of its step") {
    // As figure 6 of the source: the even share pages, a tiny one does not, and the optimum lies at the step.
    PartitionProblem problem{{1, 4000}, {1.0, 1.0, 1.0, 1.0}};
    problem.speed = [](Rank rank, ShareSize size) {
      if (rank != Rank{3} || size.rows <= 600.0) return 10.0;
      return 10.0 / (1.0 + 0.03 * (size.rows - 600.0));
    };
    Heights heights;
    const auto rounds = rounds_of(problem, heights);
    CHECK(rounds.size() > 3);
    CHECK(rounds[0].shares[3].rows == 1000.0);
    CHECK(rounds[1].shares[3].rows < 200.0);
    CHECK(heights[3] > 600);
    CHECK(rounds.back().imbalance <= 0.025);
    CHECK(rounds.back().known[3].size() == rounds.size() - 1);
    CHECK(longest(problem, heights) <= 1.03 * longest(problem, heights_of("exact", problem)));
  }

  TEST_CASE("DFPA that cannot balance whole rows takes the best division it has run") {
    Heights heights;
    const auto rounds = rounds_of({{1, 4}, {1.0, 1.0, 1.0}}, heights);
    CHECK(*std::ranges::max_element(heights) == 2);
    CHECK(rounds.size() <= 2);
  }

  TEST_CASE("A benchmark that takes no time is refused") {
    PartitionProblem problem{{1, 4}, {1.0, 1.0}};
    problem.benchmark = [](const auto& shares, Seconds) {
      return BenchmarkRun{std::vector<Seconds>(shares.size()), {}};
    };
    CHECK_THROWS_WITH_AS(heights_of("dfpa-1d", problem),
                         "partition: rank 0 takes '0' s for 1 x 2 blocks (a positive time). Check the compute model?",
                         DomainError);
  }
}
