#include <doctest/doctest.h>
#include <fmt/format.h>

#include <limits>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/speed_problems.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

/// The least longest time of all ways to cut the rows, without any theory.
double least_of_all(const PartitionProblem& problem, std::vector<std::uint32_t>& heights, std::uint32_t rows) {
  if (heights.size() + 1 == problem.ranks()) {
    heights.push_back(rows);
    const double time = longest(problem, heights);
    heights.pop_back();
    return time;
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t height = 0; height <= rows; ++height) {
    heights.push_back(height);
    least = std::min(least, least_of_all(problem, heights, rows - height));
    heights.pop_back();
  }
  return least;
}

}  // namespace

TEST_SUITE("models/partition/exact") {
  TEST_CASE("Dynamic programming finds the least longest time of all ways to cut the rows also for ragged speeds") {
    std::mt19937 random(3);
    for (std::uint32_t ranks = 1; ranks <= 4; ++ranks)
      for (int trial = 0; trial < 10; ++trial) {
        const std::uint32_t rows = 1 + static_cast<std::uint32_t>(random() % 20);
        std::vector<std::vector<double>> speeds(ranks, std::vector<double>(rows + 1));
        for (auto& of_rank : speeds)
          for (double& speed : of_rank) speed = 1.0 + static_cast<double>(random() % 100);
        PartitionProblem problem{{1, rows}, std::vector<double>(ranks, 1.0)};
        problem.speed = [&](Rank rank, ShareSize size) {
          return speeds[index(rank)][static_cast<std::size_t>(size.rows)];
        };
        std::vector<std::uint32_t> scratch;
        INFO(fmt::format("{} ranks, {} rows", ranks, rows));
        CHECK(longest(problem, heights_of("exact", problem)) == least_of_all(problem, scratch, rows));
      }
  }

  TEST_CASE("Where a larger task is sooner done the exact optimum beats a line through the origin") {
    // Rank 0 pads tasks of 5 to 7 rows to a power of two at a tenth of its speed; a line stops at the first gap.
    PartitionProblem problem{{1, 16}, {1.0, 1.0}};
    problem.speed = [](Rank rank, ShareSize size) {
      return rank == Rank{0} ? (size.rows > 4.0 && size.rows < 8.0 ? 1.0 : 10.0) : 2.0;
    };
    const double line = longest(problem, heights_of("geometric", problem));
    const double optimum = longest(problem, heights_of("exact", problem));
    CHECK(optimum == near(1.4));  // 14 and 2
    CHECK(optimum <= line);
  }

  TEST_CASE("Dynamic programming refuses more rows than it can compare in seconds") {
    const PartitionProblem problem{{1, 100'000}, {1.0, 1.0}};
    CHECK_THROWS_WITH_AS(heights_of("exact", problem),
                         "exact: 2 ranks on 100000 rows need 2e+10 comparisons (at most 4e+09). Use 'geometric'?",
                         DomainError);
    PartitionProblem none{{1, 4}, {1.0}};
    none.speed = [](Rank, ShareSize) { return 0.0; };
    CHECK_THROWS_WITH_AS(heights_of("exact", none),
                         "exact: the speeds leave rows of 4 to nobody (a finite time for some slices that cover the "
                         "grid). Check the compute model?",
                         DomainError);
  }
}
