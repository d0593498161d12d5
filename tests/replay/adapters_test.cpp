// Several adapters to a node. L = 10 us, B = 1 GB/s an adapter (tests/support/cluster.hpp); every run on both engines.
#include <doctest/doctest.h>

#include <algorithm>

#include "inside_of_nodes.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double L = 10e-6, B = 1e9, m = 1e6;

std::vector<std::string> used(const Cluster& cluster, std::uint32_t n) {
  std::vector<std::string> names;
  for (const auto& resource : test::play(cluster, each_to_its_own(n, m)).resources)
    if (resource.kind == ResourceKind::nic_out) names.push_back(resource.name);
  return names;
}

}  // namespace

TEST_SUITE("replay/adapters") {
  TEST_CASE("Two ranks of a node with an adapter each send at twice the rate of one adapter") {
    for (const std::uint32_t adapters : {1u, 2u}) {
      Cluster cluster = two_sockets(2);
      if (adapters == 2) put_adapters(cluster, {0, 1});
      for (const std::uint32_t node : {0u, 1u})
        for (const std::uint32_t socket : {0u, 1u}) seat(cluster, node, socket);
      CHECK(makespan(cluster, each_to_its_own(2, m)) == near(L + 2 / adapters * m / B));
    }
  }

  TEST_CASE("A rank uses the adapter of its socket") {
    Cluster cluster = two_sockets(2);
    put_adapters(cluster, {0, 1});
    seat(cluster, 0, 1), seat(cluster, 1, 1);
    CHECK(used(cluster, 1) == std::vector<std::string>{"outgoing adapter 1 of node-0"});
  }

  TEST_CASE("Stated affinity goes before the nearest adapter") {
    Cluster cluster = two_sockets(2);
    put_adapters(cluster, {0, 1});
    cluster.network().adapters.affinity = {{{1u, {0u}}}};
    seat(cluster, 0, 1), seat(cluster, 1, 1);
    CHECK(used(cluster, 1) == std::vector<std::string>{"outgoing adapter 0 of node-0"});
  }

  TEST_CASE("Ranks of a socket take equally near adapters in turn") {
    Cluster cluster = two_sockets(2);
    put_adapters(cluster, {0, 0, 1});
    for (const std::uint32_t node : {0u, 1u})
      for (int i = 0; i < 2; ++i) seat(cluster, node, 0);
    CHECK(used(cluster, 2) == std::vector<std::string>{"outgoing adapter 0 of node-0", "outgoing adapter 1 of node-0"});
    CHECK(makespan(cluster, each_to_its_own(2, m)) == near(L + m / B));
  }

  TEST_CASE("A long message over all adapters takes its part of the time and a short one does not") {
    Cluster cluster = two_sockets(2);
    put_adapters(cluster, {0, 0, 1, 1});
    cluster.network().adapters.stripe_over = 4;
    cluster.network().adapters.stripe_from = Bytes{m};
    seat(cluster, 0, 0), seat(cluster, 1, 0);
    CHECK(makespan(cluster, each_to_its_own(1, m)) == near(L + m / (4 * B)));
    CHECK(makespan(cluster, each_to_its_own(1, 0.999 * m)) == near(L + 0.999 * m / B));
  }

  TEST_CASE("Parts of a message share their adapters with other messages") {
    // Rank 0 stripes 4 m over both adapters, rank 1 sends m over its own: the parts share adapter 1.
    Cluster cluster = two_sockets(2);
    put_adapters(cluster, {0, 1});
    cluster.network().adapters.stripe_over = 2;
    cluster.network().adapters.stripe_from = Bytes{4 * m};
    seat(cluster, 0, 0), seat(cluster, 0, 1), seat(cluster, 1, 0), seat(cluster, 1, 1);
    const auto steps = [](Rank me) -> Generator<Step> {
      if (me == Rank{0}) co_yield send(Rank{2}, Bytes{4 * m}, Tag{0});
      if (me == Rank{1}) co_yield send(Rank{3}, Bytes{m}, Tag{0});
      if (me == Rank{2}) co_yield recv(Rank{0}, Bytes{4 * m}, Tag{0});
      if (me == Rank{3}) co_yield recv(Rank{1}, Bytes{m}, Tag{0});
    };
    const RunResult result = test::play(cluster, steps);
    CHECK(result.timelines[3].back().end.si() == near(L + 2 * m / B));
    CHECK(result.makespan.si() == near(L + 3 * m / B));
  }

  TEST_CASE("Messages shorter than bandwidth by rate take one rate each") {
    // 1 GB/s and 10,000 messages a second: from 100 kB on the bandwidth decides.
    Cluster cluster = two_sockets(2);
    cluster.network().adapters.message_rate = PiecewiseRate(PerSecond{1e4});
    seat(cluster, 0, 0), seat(cluster, 1, 0);
    CHECK(makespan(cluster, each_to_its_own(1, 1e3)) == near(L + 1e-4));
    CHECK(makespan(cluster, each_to_its_own(1, 1e5)) == near(L + 1e-4));
    CHECK(makespan(cluster, each_to_its_own(1, 3e5)) == near(L + 3e-4));
  }

  TEST_CASE("Messages of several ranks share the rate of their adapter") {
    Cluster cluster = two_sockets(2);
    cluster.network().adapters.message_rate = PiecewiseRate(PerSecond{1e4});
    for (const std::uint32_t node : {0u, 1u})
      for (int i = 0; i < 8; ++i) seat(cluster, node, 0);
    CHECK(makespan(cluster, each_to_its_own(8, 1e3)) == near(L + 8e-4));
    CHECK(makespan(cluster, each_to_its_own(8, 2e5)) == near(L + 16e-4));
    put_adapters(cluster, {0, 0});
    CHECK(makespan(cluster, each_to_its_own(8, 1e3)) == near(L + 4e-4));
  }

  TEST_CASE("An adapter takes messages at the rate of their size") {
    Cluster cluster = two_sockets(2);
    cluster.network().adapters.message_rate = PiecewiseRate({{0.0, PerSecond{4e4}}, {2e3, PerSecond{1e4}}});
    seat(cluster, 0, 0), seat(cluster, 1, 0);
    CHECK(makespan(cluster, each_to_its_own(1, 1.0)) == near(L + 1 / 4e4));
    CHECK(makespan(cluster, each_to_its_own(1, 1999.0)) == near(L + 1 / 4e4));
    CHECK(makespan(cluster, each_to_its_own(1, 2e3)) == near(L + 1 / 1e4));
    CHECK(makespan(cluster, each_to_its_own(1, 3e5)) == near(L + 3e5 / B));
    cluster.network().adapters.message_rate = PiecewiseRate({{2e3, PerSecond{1e4}}});
    CHECK(makespan(cluster, each_to_its_own(1, 1999.0)) == near(L + 1999 / B));  // any number
    CHECK(makespan(cluster, each_to_its_own(1, 2e3)) == near(L + 1 / 1e4));
  }

  TEST_CASE("Messages of unlike sizes share an adapter by the time that each takes of it") {
    // Four of 1 kB at 40,000 a second and four of 10 kB at 10,000: all 8 have 1/8 of it until the short ones are over.
    Cluster cluster = two_sockets(2);
    cluster.network().adapters.message_rate = PiecewiseRate({{0.0, PerSecond{4e4}}, {2e3, PerSecond{1e4}}});
    for (const std::uint32_t node : {0u, 1u})
      for (int i = 0; i < 8; ++i) seat(cluster, node, 0);
    const auto steps = [](Rank me) -> Generator<Step> {
      const auto i = static_cast<std::uint32_t>(me);
      const Bytes size{i % 2 == 0 ? 1e3 : 1e4};
      if (i < 8)
        co_yield send(Rank{8 + i}, size, Tag{0});
      else
        co_yield recv(Rank{i - 8}, size, Tag{0});
    };
    const RunResult result = test::play(cluster, steps);
    CHECK(result.timelines[8].back().end.si() == near(L + 8 / 4e4));
    CHECK(result.makespan.si() == near(L + 4 / 4e4 + 4 / 1e4));
  }

  TEST_CASE("Parts of a striped message count at the rate of the whole one") {
    Cluster cluster = two_sockets(2);
    put_adapters(cluster, {0, 1});
    cluster.network().adapters.stripe_over = 2;
    cluster.network().adapters.stripe_from = Bytes{m};
    cluster.network().adapters.message_rate = PiecewiseRate({{0.0, PerSecond{1e6}}, {m, PerSecond{500.0}}});
    seat(cluster, 0, 0), seat(cluster, 1, 0);
    CHECK(makespan(cluster, each_to_its_own(1, m)) == near(L + 1 / 500.0));
    CHECK(makespan(cluster, each_to_its_own(1, 0.999 * m)) == near(L + 0.999 * m / B));
  }

  TEST_CASE("What holds back short messages is said to be the rate") {
    Cluster cluster = two_sockets(2);
    cluster.network().adapters.message_rate = PiecewiseRate(PerSecond{1e4});
    seat(cluster, 0, 0), seat(cluster, 1, 0);
    const RunResult result = test::play(cluster, each_to_its_own(1, 1e3));
    const auto rate =
        std::ranges::find(result.resources, "outgoing messages of the NIC of node-0", &ResourceRecord::name);
    REQUIRE(rate != result.resources.end());
    CHECK(rate->kind == ResourceKind::message_rate);
    CHECK(rate->busy.si() == near(1e-4));
  }

  TEST_CASE("Adapters that are leaves apart meet above the leaves") {
    // Two leaves of two places, one spine with a cable each: rail-optimised, equal rails meet at their leaf.
    Cluster cluster = two_sockets(2);
    put_adapters(cluster, {0, 1});
    cluster.network().topology = FatTreeTopology{{2, 2}, {1, 1}, {1, 1}};
    cluster.network().link_latency = 1_us;
    seat(cluster, 0, 0), seat(cluster, 1, 1);
    CHECK(makespan(cluster, each_to_its_own(1, m)) == near(L + 2e-6 + m / B));  // another node's leaf
    cluster.network().adapters.rail_leaves = true;
    CHECK(makespan(cluster, each_to_its_own(1, m)) == near(L + 2e-6 + m / B));  // another rail
    cluster.layout.placements.clear();
    seat(cluster, 0, 1), seat(cluster, 1, 1);
    CHECK(makespan(cluster, each_to_its_own(1, m)) == near(L + m / B));
  }
}
