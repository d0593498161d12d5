// Slow and dead links. L = 10 us, B = 1 GB/s; two leaves of two nodes under two spines, cables of B, no latency there;
// every run on both engines.
#include "platforms/faults.hpp"

#include <doctest/doctest.h>

#include "play.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::makespan;
using test::near;

namespace {

constexpr double L = 10e-6, B = 1e9, m = 1e6;
using Kind = Routing::Kind;

/// Cables in the order of routes: of leaf 0 to spine 0 and back, to spine 1 and back, then of leaf 1.
LinkId cable(std::uint32_t nodes, std::uint32_t number) { return LinkId{2 * nodes + number}; }

Cluster tree(std::uint32_t spines = 2) {
  Cluster cluster = test::a_rank_per_node(4);
  cluster.network().topology = FatTreeTopology{{2, 2}, {1, spines}, {1, 1}};
  return cluster;
}

Cluster with(Cluster cluster, const std::vector<LinkId>& links, const LinkFault& fault) {
  LinkFaults faults{.where = "s.yaml:7:10"};
  for (const LinkId link : links) faults.add(link, fault);
  cluster.network().faults = std::make_shared<const LinkFaults>(std::move(faults));
  return cluster;
}

/// Spine 1, which has the second cable of each leaf.
std::vector<LinkId> spine_1() { return {cable(4, 2), cable(4, 3), cable(4, 6), cable(4, 7)}; }

Generator<Step> ping_pong_of(Rank me, Rank other) {
  if (me == Rank{0}) {
    co_yield send(other, Bytes{m}, Tag{0});
    co_yield recv(other, Bytes{m}, Tag{0});
  }
  if (me == other) {
    co_yield recv(Rank{0}, Bytes{m}, Tag{0});
    co_yield send(Rank{0}, Bytes{m}, Tag{0});
  }
}
std::function<Generator<Step>(Rank)> ping_pong(std::uint32_t other) {
  return [other](Rank me) { return ping_pong_of(me, Rank{other}); };
}

/// Everybody sends m to both nodes of the other leaf.
Generator<Step> across_of(Rank me) {
  const std::uint32_t first = static_cast<std::uint32_t>(me) < 2 ? 2 : 0;
  for (std::uint32_t k = 0; k < 2; ++k) co_yield irecv(Rank{first + k}, Bytes{m}, Tag{0}, RequestId{k});
  for (std::uint32_t k = 0; k < 2; ++k) co_yield isend(Rank{first + k}, Bytes{m}, Tag{0}, RequestId{2 + k});
  co_yield wait_all();
}
std::function<Generator<Step>(Rank)> across() { return across_of; }

}  // namespace

TEST_SUITE("replay/faults") {
  TEST_CASE("A cable at half bandwidth doubles a ping-pong that it bounds and no other") {
    const LinkFault half{.bandwidth = 0.5};
    const std::vector<LinkId> to_spine_0{cable(4, 0), cable(4, 1)};
    CHECK(makespan(tree(), ping_pong(2)) == near(2 * (L + m / B)));
    CHECK(makespan(with(tree(), to_spine_0, half), ping_pong(2)) == near(2 * (L + 2 * m / B)));
    CHECK(makespan(with(tree(), {cable(4, 0)}, half), ping_pong(2)) == near(2 * L + 3 * m / B));  // one direction
    CHECK(makespan(with(tree(), to_spine_0, half), ping_pong(1)) == near(2 * (L + m / B)));       // on its own leaf
  }

  TEST_CASE("An adapter at a fifth of its bandwidth and one microsecond farther bounds all messages of its node") {
    const LinkFault slow{.bandwidth = 0.2, .latency = Seconds{1e-6}};
    for (const std::uint32_t other : {1u, 2u, 3u})
      CHECK(makespan(with(tree(), {LinkId{0}, LinkId{4}}, slow), ping_pong(other)) == near(2 * (L + 1e-6 + 5 * m / B)));
    CHECK(makespan(with(tree(), {LinkId{3}, LinkId{7}}, slow), ping_pong(1)) == near(2 * (L + m / B)));
  }

  TEST_CASE("A dead spine of two doubles an exchange that saturates both however messages are routed") {
    CHECK(makespan(tree(), across()) == near(L + 2 * m / B));
    for (const Kind kind : {Kind::deterministic, Kind::hash, Kind::split, Kind::valiant, Kind::adaptive}) {
      Cluster cluster = with(tree(), spine_1(), {.down = true});
      cluster.network().routing = {kind, 2, 1};
      CHECK(makespan(cluster, across()) == near(L + 4 * m / B));
    }
  }

  TEST_CASE("A dead spine of four leaves three that share its messages alike") {
    // Twelve nodes to a leaf, a message from each of one leaf to its own of the other: 3 to each of 4 spines, then 4.
    Cluster cluster = test::a_rank_per_node(24);
    cluster.network().topology = FatTreeTopology{{12, 2}, {1, 4}, {1, 1}};
    const auto steps = [](Rank me) -> Generator<Step> {
      const auto i = static_cast<std::uint32_t>(me);
      if (i < 12) co_yield send(Rank{12 + i}, Bytes{m}, Tag{0});
      if (i >= 12) co_yield recv(Rank{i - 12}, Bytes{m}, Tag{0});
    };
    CHECK(makespan(cluster, steps) == near(L + 3 * m / B));
    std::vector<LinkId> dead;
    for (const std::uint32_t leaf : {0u, 1u})
      for (const std::uint32_t way : {0u, 1u}) dead.push_back(cable(24, 8 * leaf + 2 + way));
    CHECK(makespan(with(cluster, dead, {.down = true}), steps) == near(L + 4 * m / B));
  }

  TEST_CASE("Round a dead cable of a ring messages take the other way round") {
    Cluster cluster = test::a_rank_per_node(4);
    cluster.network().topology = TorusTopology{{4}};
    cluster.network().link_latency = Seconds{1e-6};
    const double near_by = makespan(cluster, ping_pong(1));
    CHECK(near_by == near(2 * (L + 1e-6 + m / B)));
    const auto routes = build_routes(cluster.platform, cluster.network());
    std::vector<LinkId> dead;
    for (auto i = static_cast<std::uint32_t>(routes->first_cable()); LinkId{i} < routes->end_of_cables(); ++i)
      if (const auto [from, to] = routes->ends(LinkId{i}); from + to == 2 * 4 + 1) dead.push_back(LinkId{i});
    REQUIRE(dead.size() == 2);
    CHECK(makespan(with(cluster, dead, {.down = true}), ping_pong(1)) == near(2 * (L + 3e-6 + m / B)));
  }

  TEST_CASE("Where a pair has no way left its nodes are named and others go on") {
    const Cluster cut = with(tree(1), {cable(4, 0), cable(4, 1)}, {.down = true});
    CHECK(makespan(cut, ping_pong(1)) == near(2 * (L + m / B)));
    CHECK_THROWS_WITH_AS(
        makespan(cut, ping_pong(2)),
        "s.yaml:7:10: network 'net' has no way from node 0 to node 2 (uplink of leaf switch 0 to spine "
        "switch 0 is down, and 1 more links; messages between them cross it). Leave another way, or "
        "place no ranks there?",
        InputError);
    const Cluster off = with(tree(), {LinkId{3}, LinkId{7}}, {.down = true});  // the only adapter of node 3
    CHECK(makespan(off, ping_pong(2)) == near(2 * (L + m / B)));
    CHECK_THROWS_AS(makespan(off, ping_pong(3)), InputError);
  }

  TEST_CASE("With several adapters a node leaves the dead one out") {
    Cluster cluster = test::a_rank_per_node(2);
    cluster.network().adapters.at = {{0, 0}};
    cluster.network().adapters.stripe_over = 2;
    cluster.network().adapters.stripe_from = Bytes{0};
    CHECK(makespan(cluster, ping_pong(1)) == near(2 * (L + m / (2 * B))));
    // Both halves leave by the other adapter of node 0, and come to it.
    CHECK(makespan(with(cluster, {LinkId{1}, LinkId{5}}, {.down = true}), ping_pong(1)) == near(2 * (L + m / B)));
  }
}
