#include <doctest/doctest.h>

#include <algorithm>

#include "models/partition/partitioner.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

/// Six processors, of which two page beyond 120 blocks and one is slow.
PartitionProblem paging(GridSize grid) {
  PartitionProblem problem{grid, {4.0, 4.0, 4.0, 4.0, 4.0, 2.0}};
  problem.speed = [speeds = problem.speeds](Rank rank, ShareSize size) {
    const double speed = speeds[index(rank)], blocks = size.blocks();
    const bool small = index(rank) < 2 && blocks > 120.0;
    return small ? speed / (1.0 + 0.02 * (blocks - 120.0)) : speed;
  };
  return problem;
}

double longest(const PartitionProblem& problem, const Partition& partition) {
  double time = 0.0;
  for (std::uint32_t r = 0; r < problem.ranks(); ++r)
    if (partition.rectangles[r].area() > 0)
      time = std::max(time, problem.time(Rank{r}, partition.rectangles[r].size()));
  return time;
}

Partition made(const std::string& name, const PartitionProblem& problem) {
  return partitioners().at(name, "test").make(problem);
}

}  // namespace

TEST_SUITE("models/partition/two dimensions") {
  TEST_CASE("Constant speeds give the two-step division in proportion to them") {
    const auto partition = made("cpm-2d", {{6, 6}, {6.0, 3.0, 2.0, 1.0}});
    // Columns {6, 2} and {3, 1}: widths 4 and 2, heights 3:1 in both, to whole blocks.
    CHECK(tiling_defect(partition) == "");
    CHECK(partition.rectangles[0].width == 4);
    CHECK(partition.rectangles[1].width == 2);
    CHECK(partition.rectangles[0].height == 5);
    CHECK(partition.rectangles[1].height == 5);
  }

  TEST_CASE("Functional models in two dimensions leave paging processors less and end sooner than constant ones") {
    const auto problem = paging({30, 30});
    const double constant = longest(problem, made("cpm-2d", problem));
    const double full = longest(problem, made("ffmpa-2d", problem));
    const double measured = longest(problem, made("dfpa-2d", problem));
    CHECK(full < 0.95 * constant);
    CHECK(measured < 1.1 * full);
  }

  TEST_CASE("DFPA in two dimensions starts evenly and keeps what it measured at other widths") {
    auto problem = paging({60, 60});
    problem.accuracy = 0.02;
    std::vector<PartitionRound> rounds;
    problem.watch = [&](const PartitionRound& round) { rounds.push_back(round); };
    made("dfpa-2d", problem);
    REQUIRE(rounds.size() >= 3);
    CHECK(rounds[0].outer == 0);
    CHECK(rounds[0].known.empty());
    CHECK(rounds[0].shares[0].rows * rounds[0].shares[0].columns == near(600.0));
    CHECK(rounds.back().outer >= 1);
    const auto next = std::ranges::find(rounds, 1u, &PartitionRound::outer);
    CHECK(next->known[0].size() >= 1);  // of the width before, as tasks of as many blocks
  }

  TEST_CASE("DFPA in two dimensions cuts benchmarks off at three times the best") {
    auto problem = paging({60, 60});
    std::vector<double> cut_offs;
    const auto uncut = problem;
    problem.benchmark = [&](const std::vector<ShareSize>& shares, Seconds cut_off) {
      cut_offs.push_back(cut_off.si());
      return uncut.run(shares, cut_off);
    };
    made("dfpa-2d", problem);
    REQUIRE(cut_offs.size() >= 2);
    CHECK(cut_offs[0] > 1e300);
    CHECK(cut_offs[1] < 1e300);
    CHECK(std::ranges::is_sorted(cut_offs, std::ranges::greater{}));
  }
}
