#include <doctest/doctest.h>

#include "tests/support/relative.hpp"
#include "tests/support/speed_problems.hpp"

using namespace orrery;
using namespace orrery::test;
using Heights = std::vector<std::uint32_t>;

TEST_SUITE("models/partition/slices") {
  TEST_CASE("Even slices differ by one row at most and ignore speeds") {
    CHECK(heights_of("even", {{4, 10}, {1.0, 100.0, 1.0}}) == Heights{3, 3, 4});
    CHECK(heights_of("even", {{4, 2}, {1.0, 1.0, 1.0}}) == Heights{0, 1, 1});
  }

  TEST_CASE("A constant model takes each speed from one benchmark of an equal share") {
    // At 12 rows each rank 0 is still in its cache and four times as fast; at its share it no longer is.
    PartitionProblem problem{{1, 24}, {1.0, 1.0}};
    problem.speed = [](Rank rank, ShareSize size) { return rank == Rank{0} && size.rows <= 12.0 ? 4.0 : 1.0; };
    std::vector<PartitionRound> rounds;
    problem.watch = [&](const PartitionRound& round) { rounds.push_back(round); };
    CHECK(heights_of("cpm", problem) == Heights{19, 5});
    CHECK(heights_of("exact", problem) == Heights{12, 12});
    REQUIRE(rounds.size() == 1);
    CHECK(rounds[0].run.times[0].si() == near(3.0));
    CHECK(rounds[0].run.cost.si() == near(12.0));
    CHECK(rounds[0].imbalance == near(3.0));
  }

  TEST_CASE("The full functional model is measured at twenty heights up to a quarter of the rows") {
    std::mt19937 random(1);
    auto problem = problem_of(800, random_regimes(8, 300.0, random));
    std::vector<double> heights;
    Seconds cost;
    problem.watch = [&](const PartitionRound& round) {
      heights.push_back(round.shares[0].rows);
      cost += round.run.cost;
    };
    const double found = longest(problem, heights_of("ffmpa-1d", problem));
    CHECK(heights.size() == 20);
    CHECK(heights.front() == 10.0);
    CHECK(heights.back() == 200.0);
    CHECK(cost.si() > 5.0 * found);  // what DFPA saves
    CHECK(found <= 1.05 * longest(problem, heights_of("exact", problem)));
  }
}
