#include <doctest/doctest.h>

#include <set>

#include "models/partition/columns.hpp"
#include "models/partition/partitioner.hpp"

using namespace orrery;

namespace {

std::uint32_t columns_in(const Partition& partition) {
  std::set<std::uint32_t> starts;
  for (const auto& mine : partition.rectangles)
    if (mine.area() > 0) starts.insert(mine.x);
  return static_cast<std::uint32_t>(starts.size());
}

/// A time that is least with so many columns.
PartitionProblem with_best(std::uint32_t columns) {
  PartitionProblem problem{{48, 48}, std::vector<double>(12, 1.0)};
  problem.time_of = [columns](const Partition& candidate) {
    const double away = double{1} * columns_in(candidate) - columns;
    return Seconds(1.0 + away * away);
  };
  return problem;
}

}  // namespace

TEST_SUITE("models/partition/timed-columns") {
  TEST_CASE("The number of columns is the one whose time is told to be least") {
    const auto& entry = partitioners().at("timed-columns", "test");
    for (const std::uint32_t columns : {1u, 2u, 3u, 4u, 7u, 12u}) {
      const Partition made = entry.make(with_best(columns));
      CHECK(columns_in(made) == columns);
      CHECK(tiling_defect(made) == "");
    }
  }

  TEST_CASE("The search asks for neighbours alone and stops where time rises") {
    auto problem = with_best(4);  // where twelve equal ranks start: columns of four, three or so
    std::uint32_t asked = 0;
    problem.time_of = [&, time = problem.time_of](const Partition& candidate) {
      ++asked;
      return time(candidate);
    };
    partitioners().at("timed-columns", "test").make(problem);
    CHECK(asked == 3);
  }

  TEST_CASE("The best of exactly so many columns has them all and no column has more ranks than rows") {
    const std::vector<double> speeds{5, 1, 4, 3, 2, 9, 2};
    const ColumnArrangements arrangements({10, 3}, speeds);
    CHECK(arrangements.best_of(2).empty());  // seven ranks do not fit into two columns of three rows
    for (std::uint32_t columns = 3; columns <= 7; ++columns) {
      const auto sizes = arrangements.best_of(columns);
      CHECK(sizes.size() == columns);
      for (const std::size_t size : sizes) CHECK((size >= 1 && size <= 3));
      CHECK(tiling_defect(arrangements.partition(sizes)) == "");
    }
    CHECK(arrangements.best_of(8).empty());
    CHECK(arrangements.best_of(0).empty());
  }
}
