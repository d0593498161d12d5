#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "tests/support/speed_problems.hpp"

using namespace orrery;
using test::heights_of;
using Heights = std::vector<std::uint32_t>;

namespace {

/// Of Table 1 of the source: a PE of linux01, of linux lab and of beowulf; only the last is far.
PartitionProblem three_machines(std::uint32_t rows) {
  PartitionProblem problem{{1, rows}, {1.0, 1.0, 1.0}};
  problem.processors = {{2.4, Bytes(2), Bytes(2), Seconds(1e-4)},
                        {3.4, Bytes(4), Bytes(3), Seconds(1e-4)},
                        {2.0, Bytes(8), Bytes(6), Seconds(2e-4)}};
  return problem;
}

}  // namespace

TEST_SUITE("models/partition/cost models") {
  TEST_CASE("Cost models divide by clock then also cache then also memory then also latency") {
    CHECK(heights_of("cm0", three_machines(78)) == Heights{24, 34, 20});
    CHECK(heights_of("cm1", three_machines(344)) == Heights{48, 136, 160});     // 4.8, 13.6, 16
    CHECK(heights_of("cm2", three_machines(960)) == Heights{240, 453, 267});    // 2.4, 4.533, 2.667
    CHECK(heights_of("cm3a", three_machines(1227)) == Heights{240, 453, 534});  // the far one twice as much
  }

  TEST_CASE("A rank at the threshold of latency gets nothing") {
    auto problem = three_machines(694);
    problem.latency_max = Seconds(2e-4);
    CHECK(heights_of("cm3a", problem) == Heights{240, 454, 0});
    problem.latency_max = Seconds(1e-4);
    CHECK_THROWS_WITH_AS(heights_of("cm3a", problem),
                         "cm3a: every rank is 0.0001 s away or more (at least one nearer). Raise 'latency-max'?",
                         DomainError);
  }

  TEST_CASE("A cost model that lacks a figure of a rank names the column to add") {
    auto problem = three_machines(10);
    problem.processors[1].cache = Bytes{};
    CHECK(heights_of("cm0", problem).size() == 3);
    CHECK_THROWS_WITH_AS(
        heights_of("cm1", problem),
        "cm1: nobody says 'cache_B' of rank 1 (a positive figure). Name 'processors' with that column?", DomainError);
  }
}
