// Ranks that take turns on the cores of a host: closed forms on both engines (play.hpp compares them).
#include <doctest/doctest.h>

#include "play.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::compute_for;
using test::makespan;
using test::near;

namespace {

/// Ranks on one node of so many cores, with an overhead of time sharing.
Cluster crowd(std::uint32_t cores, std::uint32_t ranks, double overhead) {
  Cluster cluster(1, cores);
  std::vector<std::uint32_t> nodes(ranks, 0);
  cluster.place(nodes);
  cluster.platform.node_types[0].time_sharing_overhead = overhead;
  return cluster;
}

}  // namespace

TEST_SUITE("replay/time sharing") {
  TEST_CASE("M ranks on one core take M times their work longer by the overhead for each beyond the first") {
    for (const std::uint32_t m : {2u, 3u, 5u}) {
      const double h = 0.04, work = 1e-3;
      CHECK(makespan(crowd(1, m, h), [=](Rank) -> Generator<Step> { co_yield compute_for(work); }) ==
            near(m * work * (1.0 + h * (m - 1))));
    }
  }
  TEST_CASE("Of two ranks with unequal work the longer one has the core to itself once the other is done") {
    const double h = 0.1;
    // Both run at half speed for 2 (1 + h) ms, then (1 + h) ms are left of the second.
    CHECK(makespan(crowd(1, 2, h), [](Rank me) -> Generator<Step> {
            co_yield compute_for(me == Rank{0} ? 1e-3 : 2e-3);
          }) == near(3e-3 * (1.0 + h)));
  }
  TEST_CASE("Three ranks on two cores take turns on both and lose half the overhead") {
    const double h = 0.1;
    CHECK(makespan(crowd(2, 3, h), [](Rank) -> Generator<Step> { co_yield compute_for(2e-3); }) ==
          near(3e-3 * (1.0 + 0.5 * h)));
  }
  TEST_CASE("Ranks with a core each lose nothing to time sharing whatever the platform says") {
    CHECK(makespan(crowd(3, 3, 0.5), [](Rank) -> Generator<Step> { co_yield compute_for(1e-3); }) == near(1e-3));
  }
  TEST_CASE("Without a stated overhead ranks that share a core have what they had") {
    CHECK(makespan(crowd(1, 4, 0.0), [](Rank) -> Generator<Step> { co_yield compute_for(1e-3); }) == near(4e-3));
  }
}
