// Which of several ways messages take. L = 10 us, B = 1 GB/s; leaves of two nodes, cables of B between switches, no
// latency there; every run on both engines.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "inside_of_nodes.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Cluster;
using test::each_to_its_own;
using test::makespan;
using test::near;

namespace {

constexpr double L = 10e-6, B = 1e9, m = 1e6;
using Kind = Routing::Kind;

Cluster tree(Routing routing, std::uint32_t spines = 2) {
  Cluster cluster = test::a_rank_per_node(8);
  cluster.network().topology = FatTreeTopology{{4, 2}, {1, spines}, {1, 1}};
  cluster.network().routing = routing;
  return cluster;
}

std::set<std::string> links_used(const Cluster& cluster, const std::function<Generator<Step>(Rank)>& steps) {
  std::set<std::string> names;
  for (const auto& resource : test::play(cluster, steps).resources)
    if (resource.kind == ResourceKind::link || resource.kind == ResourceKind::global_link) names.insert(resource.name);
  return names;
}

std::function<Generator<Step>(Rank)> one_message(std::uint32_t from, std::uint32_t to) {
  return [from, to](Rank me) -> Generator<Step> {
    if (me == Rank{from}) co_yield send(Rank{to}, Bytes{m}, Tag{0});
    if (me == Rank{to}) co_yield recv(Rank{from}, Bytes{m}, Tag{0});
  };
}

}  // namespace

TEST_SUITE("replay/routing") {
  TEST_CASE("A message split over all spines takes the bandwidth that its NIC has left") {
    // NIC 1 GB/s, cables of 0.25 GB/s: one way gives a quarter, four ways all of it.
    for (const Kind kind : {Kind::deterministic, Kind::split}) {
      Cluster cluster = tree({kind, 4, 1}, 4);
      cluster.network().link_bandwidth = BytesPerSecond{B / 4};
      CHECK(makespan(cluster, one_message(0, 4)) == near(L + (kind == Kind::split ? 1 : 4) * m / B));
    }
  }

  TEST_CASE("Split messages load every way alike") {
    // Four messages over two spines: deterministic sends two over each, split a half of all four over each.
    for (const Kind kind : {Kind::deterministic, Kind::split}) {
      const RunResult result = test::play(tree({kind, 2, 1}), each_to_its_own(4, m));
      CHECK(result.makespan.si() == near(L + 2 * m / B));
    }
    // All to nodes that d-mod-k sends over one spine: only the split finds the other.
    const auto to_even = [](Rank me) -> Generator<Step> {
      if (me == Rank{0} || me == Rank{1}) co_yield send(Rank{index(me) == 0 ? 4u : 6u}, Bytes{m}, Tag{0});
      if (me == Rank{4} || me == Rank{6}) co_yield recv(Rank{me == Rank{4} ? 0u : 1u}, Bytes{m}, Tag{0});
    };
    CHECK(makespan(tree({Kind::deterministic, 2, 1}), to_even) == near(L + 2 * m / B));
    CHECK(makespan(tree({Kind::split, 2, 1}), to_even) == near(L + m / B));
  }

  TEST_CASE("A free graph has the ways that the same fat tree has") {
    // Four spines: each of four destinations has one of its own, and a message in four parts all of them.
    Cluster cluster = test::a_rank_per_node(8);
    GraphTopology graph{{"a", "b"}, {{"node:0-3", "a", {}, {}}, {"node:4-7", "b", {}, {}}}};
    const auto cables = [&](double bandwidth) {
      graph.switches.resize(2);
      graph.edges.resize(2);
      for (const char* spine : {"s0", "s1", "s2", "s3"}) {
        graph.switches.emplace_back(spine);
        for (const char* leaf : {"a", "b"}) graph.edges.push_back({leaf, spine, BytesPerSecond{bandwidth}, {}});
      }
      cluster.network().topology = graph;
    };
    cables(B);
    CHECK(makespan(cluster, each_to_its_own(4, m)) == near(L + m / B));
    cluster.network().routing = {Kind::split, 4, 1};
    CHECK(makespan(cluster, each_to_its_own(4, m)) == near(L + m / B));
    cables(B / 4);
    CHECK(makespan(cluster, one_message(0, 4)) == near(L + m / B));
    cluster.network().routing = {Kind::deterministic, 4, 1};
    CHECK(makespan(cluster, one_message(0, 4)) == near(L + 4 * m / B));
    std::set<std::set<std::string>> ways;
    for (std::uint64_t seed = 1; seed <= 32; ++seed) {
      cluster.network().routing = {Kind::hash, 4, seed};
      ways.insert(links_used(cluster, one_message(0, 4)));
    }
    CHECK(ways.size() == 4);
  }

  TEST_CASE("A hash sends a pair of ranks the same way each time and pairs by the seed") {
    std::set<std::set<std::string>> ways;
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const auto twice = [](Rank me) -> Generator<Step> {
        for (int i = 0; i < 2; ++i) {
          if (me == Rank{0}) co_yield send(Rank{4}, Bytes{m}, Tag{0});
          if (me == Rank{4}) co_yield recv(Rank{0}, Bytes{m}, Tag{0});
        }
      };
      const auto used = links_used(tree({Kind::hash, 2, seed}), twice);
      CHECK(used.size() == 2);
      CHECK(used == links_used(tree({Kind::hash, 2, seed}), one_message(0, 4)));
      ways.insert(used);
    }
    CHECK(ways.size() == 2);
  }

  TEST_CASE("Colliding hashes share a cable and take as long as they are many") {
    // Over both spines: the slowest cable carries as many messages as collide on it.
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const RunResult result = test::play(tree({Kind::hash, 2, seed}), each_to_its_own(4, m));
      double most = 0.0;
      for (const auto& resource : result.resources)
        if (resource.kind == ResourceKind::link) most = std::max(most, resource.bytes.si());
      CHECK(result.makespan.si() == near(L + most / B));
    }
  }

  TEST_CASE("Adaptive messages go where nobody goes yet") {
    // Two messages whose deterministic ways meet: the second to start takes the other spine.
    const auto later = [](Rank me) -> Generator<Step> {
      if (me == Rank{1}) co_yield test::compute_for(1e-5);
      if (me == Rank{0} || me == Rank{1}) co_yield send(Rank{index(me) == 0 ? 4u : 6u}, Bytes{m}, Tag{0});
      if (me == Rank{4} || me == Rank{6}) co_yield recv(Rank{me == Rank{4} ? 0u : 1u}, Bytes{m}, Tag{0});
    };
    CHECK(makespan(tree({Kind::deterministic, 2, 1}), later) > L + 1.9 * m / B);
    for (std::uint64_t seed = 1; seed <= 4; ++seed)
      CHECK(makespan(tree({Kind::adaptive, 2, seed}), later) == near(1e-5 + L + m / B));
  }

  TEST_CASE("Adaptive routing leaves the straight way when that is loaded and takes it when it is free") {
    // Four groups of two routers with two nodes each, one global link between two groups.
    Cluster cluster = test::a_rank_per_node(16);
    cluster.network().topology = DragonflyTopology{4, 2, 2, 2};
    cluster.network().routing = {Kind::adaptive, 8, 1};
    const auto globals = [](const RunResult& result) {
      double bytes = 0.0;
      for (const auto& of_kind : result.kind_loads)
        if (of_kind.kind == ResourceKind::global_link) bytes = of_kind.bytes.si();
      return bytes;
    };
    CHECK(globals(test::play(cluster, one_message(0, 4))) == near(m));
    const auto burst = [](Rank me) -> Generator<Step> {  // group 0 to group 1
      const auto i = static_cast<std::uint32_t>(me);
      if (i < 4) {
        co_yield test::compute_for(1e-6 * (i + 1));
        co_yield send(Rank{4 + i}, Bytes{m}, Tag{0});
      } else if (i < 8) {
        co_yield recv(Rank{i - 4}, Bytes{m}, Tag{0});
      }
    };
    const RunResult adaptive = test::play(cluster, burst);
    CHECK(globals(adaptive) > 4.5 * m);
    cluster.network().routing = {};
    const RunResult straight = test::play(cluster, burst);
    CHECK(globals(straight) == near(4 * m));
    CHECK(adaptive.makespan < 0.8 * straight.makespan);
  }

  TEST_CASE("Valiant's messages cross a group in between") {
    Cluster cluster = test::a_rank_per_node(16);
    cluster.network().topology = DragonflyTopology{4, 2, 2, 2};
    cluster.network().routing = {Kind::valiant, 4, 1};
    const RunResult result = test::play(cluster, one_message(0, 4));
    const auto global = std::ranges::find(result.kind_loads, ResourceKind::global_link, &KindLoad::kind);
    REQUIRE(global != result.kind_loads.end());
    CHECK(global->bytes.si() == near(2 * m));
    CHECK(result.makespan.si() == near(L + m / B));
  }
}
