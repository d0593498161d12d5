#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "models/partition/partitioner.hpp"
#include "sim/core/error.hpp"
#include "tests/support/speed_problems.hpp"

using namespace orrery;

namespace {

/// The least time of all ways to cut the rows, without any theory.
double least_time(const PartitionProblem& problem, std::vector<std::uint32_t>& heights, std::uint32_t rows) {
  if (heights.size() + 1 == problem.ranks()) {
    heights.push_back(rows);
    const double time = test::longest(problem, heights);
    heights.pop_back();
    return time;
  }
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t height = 0; height <= rows; ++height) {
    heights.push_back(height);
    least = std::min(least, least_time(problem, heights, rows - height));
    heights.pop_back();
  }
  return least;
}

std::vector<std::uint32_t> heights_of(const PartitionProblem& problem) {
  return test::heights_of("geometric", problem);
}

}  // namespace

TEST_SUITE("models/partition/geometric") {
  TEST_CASE("A line through the origin cuts two speeds of two sizes where both ranks end together") {
    // Rank 0 does 10 rows/s up to 20 rows and 5 beyond; rank 1 always 5: 24 rows take both 2.4 s with 12 and 12, but
    // rank 0 is done with 16 rows when rank 1 is with 8.
    PartitionProblem problem{{1, 24}, {10.0, 5.0}};
    problem.speed = [](Rank rank, ShareSize size) { return rank == Rank{0} && size.rows <= 20.0 ? 10.0 : 5.0; };
    CHECK(heights_of(problem) == std::vector<std::uint32_t>{16, 8});
    problem.grid.rows = 60;  // more than 20 rows for rank 0: both are alike there
    CHECK(heights_of(problem) == std::vector<std::uint32_t>{30, 30});
  }

  TEST_CASE("No way to cut the rows ends earlier than the slices on one line") {
    std::mt19937 random(5);
    const auto draw = [&](double from, double to) {
      return from + (to - from) * static_cast<double>(random() % 1000) / 1000.0;
    };
    for (std::uint32_t ranks = 1; ranks <= 4; ++ranks)
      for (int trial = 0; trial < 12; ++trial) {
        std::vector<test::Regimes> regimes;
        for (std::uint32_t r = 0; r < ranks; ++r) regimes.push_back({draw(1, 20), draw(1, 10), draw(10, 20)});
        const auto problem = test::problem_of(1 + static_cast<std::uint32_t>(random() % 24), regimes);
        std::vector<std::uint32_t> scratch;
        INFO(fmt::format("{} ranks, trial {}", ranks, trial));
        CHECK(test::longest(problem, heights_of(problem)) <=
              least_time(problem, scratch, problem.grid.rows) * (1.0 + 1e-12));
      }
  }

  TEST_CASE("A rank whose speed falls to nothing beyond a size gets no more than that") {
    PartitionProblem problem{{4, 100}, {1000.0, 1.0}};
    problem.speed = [](Rank rank, ShareSize size) { return rank == Rank{1} ? 1.0 : size.rows <= 30.0 ? 1000.0 : 0.0; };
    CHECK(heights_of(problem) == std::vector<std::uint32_t>{30, 70});
  }

  TEST_CASE("Speeds that leave rows to nobody are refused") {
    PartitionProblem problem{{1, 10}, {1.0, 1.0}};
    problem.speed = [](Rank, ShareSize size) { return size.rows <= 3.0 ? 1.0 : 0.0; };
    CHECK_THROWS_WITH_AS(
        heights_of(problem),
        "geometric: the speeds leave rows of 10 to nobody (a finite time for some slices that cover the "
        "grid). Check the compute model?",
        DomainError);
  }
}
