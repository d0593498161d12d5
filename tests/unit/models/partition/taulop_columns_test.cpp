#include <doctest/doctest.h>
#include <fmt/format.h>

#include <functional>
#include <random>

#include "models/partition/apportion.hpp"
#include "models/partition/partitioner.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;

namespace {

/// Ranks 0, 2, 4 .. on one node and 1, 3, 5 .. on another; what leaves a node costs ten times what stays. A rank sends
/// its height to the right and its width down and so meets neighbours.
Seconds sent(const Partition& partition) {
  double cost = 0.0;
  for (std::uint32_t a = 0; a < partition.ranks(); ++a)
    for (std::uint32_t b = 0; b < partition.ranks(); ++b) {
      const Rectangle &mine = partition.rectangles[a], &other = partition.rectangles[b];
      if (a == b || mine.area() == 0 || other.area() == 0) continue;
      const double price = a % 2 == b % 2 ? 1.0 : 10.0;
      cost += price * ((mine.x == other.x ? mine.width : 0) + shared_rows(mine, other));
    }
  return Seconds(cost);
}

Partition columns_of(const PartitionProblem& problem, const std::vector<std::vector<std::size_t>>& columns) {
  Partition partition{problem.grid.columns, problem.grid.rows, std::vector<Rectangle>(problem.ranks())};
  std::vector<double> sums;
  for (const auto& column : columns) {
    double& sum = sums.emplace_back(0.0);
    for (const auto i : column) sum += problem.speeds[i];
  }
  const auto widths = apportion(problem.grid.columns, sums);
  std::uint32_t x = 0;
  for (std::size_t c = 0; c < columns.size(); x += widths[c], ++c) {
    std::vector<double> speeds;
    for (const auto i : columns[c]) speeds.push_back(problem.speeds[i]);
    const auto heights = apportion(problem.grid.rows, speeds);
    std::uint32_t y = 0;
    for (std::size_t k = 0; k < heights.size(); y += heights[k], ++k)
      partition.rectangles[columns[c][k]] = {x, y, widths[c], heights[k]};
  }
  return partition;
}

/// Over all ways to put the ranks into columns; columns and their members in order of their lowest rank.
double least_of_all(const PartitionProblem& problem) {
  double least = 1e300;
  std::vector<std::vector<std::size_t>> columns;
  const std::function<void(std::size_t)> place = [&](std::size_t rank) {
    if (rank == problem.ranks()) {
      least = std::min(least, problem.time_of(columns_of(problem, columns)).si());
      return;
    }
    for (std::size_t c = 0; c < columns.size(); ++c) {
      columns[c].push_back(rank);
      place(rank + 1);
      columns[c].pop_back();
    }
    columns.push_back({rank});
    place(rank + 1);
    columns.pop_back();
  };
  place(0);
  return least;
}

}  // namespace

TEST_SUITE("models/partition/taulop-columns") {
  TEST_CASE("Moves of single ranks find columns within a tenth of the cheapest of all arrangements") {
    std::mt19937 random(17);
    for (std::uint32_t ranks = 2; ranks <= 7; ++ranks)
      for (int trial = 0; trial < 4; ++trial) {
        PartitionProblem problem{{60, 60}, {}};
        for (std::uint32_t r = 0; r < ranks; ++r)
          problem.speeds.push_back(1.0 + static_cast<double>(random() % 40) / 10.0);
        problem.time_of = sent;
        const auto made = partitioners().at("taulop-columns", "test").make(problem);
        INFO(fmt::format("{} ranks, trial {}", ranks, trial));
        CHECK(tiling_defect(made) == "");
        CHECK(sent(made).si() <= 1.1 * least_of_all(problem));
      }
  }

  TEST_CASE("What a model's times choose is played beside the columns that need no model and the faster is taken") {
    PartitionProblem problem{{40, 40}, {1.0, 1.0, 1.0, 1.0}};
    problem.time_of = [](const Partition& partition) {  // believes in slices, the narrower the better
      return Seconds(partition.rectangles[0].width);
    };
    const auto slices = partitioners().at("taulop-columns", "test").make(problem);
    CHECK(slices.rectangles[0].width == 10);
    std::vector<std::string> told;
    problem.tell = [&](const std::string& sentence) { told.push_back(sentence); };
    problem.played = [](const Partition& partition) {
      return Seconds(partition.rectangles[0].width == 20 ? 3.0 : 4.0);
    };
    const auto squares = partitioners().at("taulop-columns", "test").make(problem);
    CHECK(squares.rectangles[0].width == 20);
    REQUIRE(told.size() == 1);
    CHECK(told[0].starts_with("taulop-columns: "));
    CHECK(
        told[0].ends_with("candidates played; the one predicted to be best takes 4 s, another 3 s: that one is taken"));
    problem.played = [](const Partition& partition) { return Seconds(partition.rectangles[0].width); };
    CHECK(partitioners().at("taulop-columns", "test").make(problem).rectangles[0].width == 10);
    CHECK(told.back().ends_with("the one predicted to be best takes 10 s and is taken"));
  }

  TEST_CASE("Ranks of one node end up in one column where leaving the node is dear") {
    PartitionProblem problem{{40, 40}, {1.0, 1.0, 1.0, 1.0}};
    problem.time_of = [](const Partition& partition) {  // only what goes down a column counts
      double cost = 0.0;
      for (std::uint32_t a = 0; a < 4; ++a)
        for (std::uint32_t b = 0; b < 4; ++b)
          if (a % 2 != b % 2 && partition.rectangles[a].x == partition.rectangles[b].x) cost += 1.0;
      const bool square = partition.rectangles[0].width == 20;
      return Seconds(1.0 + cost + (square ? 0.0 : 5.0));
    };
    const auto made = partitioners().at("taulop-columns", "test").make(problem);
    CHECK(made.rectangles[0].x == made.rectangles[2].x);
    CHECK(made.rectangles[1].x == made.rectangles[3].x);
    CHECK(made.rectangles[0].x != made.rectangles[1].x);
  }

  TEST_CASE("Columns are arranged only where somebody tells the time") {
    CHECK_THROWS_WITH_AS(
        partitioners().at("taulop-columns", "test").make({{8, 8}, {1.0, 2.0}}),
        "taulop-columns: nobody tells the time of a candidate (it asks for it). Choose 'beaumont-columns'?",
        DomainError);
  }
}
