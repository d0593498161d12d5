// What two ranks have between them, both ways. L = 10 us, B = 1 GB/s (tests/support/cluster.hpp); every run on both
// engines.
#include <doctest/doctest.h>

#include <algorithm>

#include "inside_of_nodes.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double L = 10e-6, B = 1e9, C = 1.2e9, m = 1e6;

Cluster limited(std::uint32_t ranks, double from = 0.0) {
  Cluster cluster = a_rank_per_node(ranks);
  cluster.wire().pair_bandwidth = BytesPerSecond{C};
  cluster.wire().pair_from = Bytes{from};
  return cluster;
}

/// Everybody sends `bytes` to the rank `away` ranks on, and receives.
std::function<Generator<Step>(Rank)> shift(std::uint32_t p, std::uint32_t away, double bytes) {
  return [=](Rank me) -> Generator<Step> {
    const auto i = static_cast<std::uint32_t>(me);
    co_yield irecv(Rank{(i + p - away) % p}, Bytes{bytes}, Tag{0}, RequestId{0});
    co_yield isend(Rank{(i + away) % p}, Bytes{bytes}, Tag{0}, RequestId{1});
    co_yield wait_all();
  };
}

}  // namespace

TEST_SUITE("replay/connections") {
  TEST_CASE("Two ranks that exchange share what their connection carries") {
    CHECK(makespan(limited(2), shift(2, 1, m)) == near(L + 2 * m / C));
    CHECK(makespan(limited(2), each_to_its_own(1, m)) == near(L + m / B));
  }

  TEST_CASE("Ranks that send to one and receive from another have their adapters' bandwidth") {
    CHECK(makespan(limited(3), shift(3, 1, m)) == near(L + m / B));
    CHECK(makespan(limited(4), shift(4, 2, m)) == near(L + 2 * m / C));
  }

  TEST_CASE("Messages below a size do not count against the connection") {
    CHECK(makespan(limited(2, m), shift(2, 1, 0.999 * m)) == near(L + 0.999 * m / B));
    CHECK(makespan(limited(2, m), shift(2, 1, m)) == near(L + 2 * m / C));
  }

  TEST_CASE("A connection narrower than the adapter limits one message as well") {
    Cluster cluster = limited(2);
    cluster.wire().pair_bandwidth = BytesPerSecond{0.5e9};
    CHECK(makespan(cluster, each_to_its_own(1, m)) == near(L + m / 0.5e9));
  }

  TEST_CASE("Ranks of two nodes have a connection for each pair of them") {
    Cluster cluster(2);
    cluster.place({0, 0, 1, 1});
    cluster.wire().pair_bandwidth = BytesPerSecond{0.4e9};
    CHECK(makespan(cluster, each_to_its_own(2, m)) == near(L + m / 0.4e9));
  }

  TEST_CASE("A connection that holds messages back is said to") {
    const RunResult result = test::play(limited(2), shift(2, 1, m));
    const auto found = std::ranges::find(result.resources, ResourceKind::connection, &ResourceRecord::kind);
    REQUIRE(found != result.resources.end());
    CHECK(found->name == "connection of ranks 0 and 1");
    CHECK(found->bytes.si() == near(2 * m));
    CHECK(found->busy.si() == near(2 * m / C));
  }
}
