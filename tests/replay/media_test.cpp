// What messages of all directions share, and what limits each alone: half-duplex links and adapters, buses, backbones,
// limiters. L = 10 us, B = 1 GB/s (tests/support/cluster.hpp); every run on both engines.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "platforms/faults.hpp"
#include "play.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr double L = 10e-6, B = 1e9, m = 1e6;
constexpr double S = 0.25e9, L_s = 2e-6;  // of a medium

struct Message {
  std::uint32_t from, to;
  double bytes = m;
};

/// All messages at once.
std::function<Generator<Step>(Rank)> messages(std::vector<Message> all) {
  return [all](Rank me) -> Generator<Step> {
    std::uint32_t request = 0;
    for (const Message& message : all)
      if (me == Rank{message.to})
        co_yield irecv(Rank{message.from}, Bytes{message.bytes}, Tag{0}, RequestId{request++});
    for (const Message& message : all)
      if (me == Rank{message.from})
        co_yield isend(Rank{message.to}, Bytes{message.bytes}, Tag{0}, RequestId{request++});
    co_yield wait_all();
  };
}

double time_of(const Cluster& cluster, const std::vector<Message>& all) { return makespan(cluster, messages(all)); }

Medium medium(const std::string& name, Sharing sharing, std::vector<std::string> between = {}) {
  return {name, BytesPerSecond{S}, Seconds{L_s}, sharing, std::move(between)};
}

/// Nodes 0 and 1 on a, 2 and 3 on b, a cable between.
Cluster two_switches(Sharing sharing) {
  Cluster cluster = a_rank_per_node(4);
  cluster.network().topology = GraphTopology{
      {"a", "b"},
      {{"node:0-1", "a", {}, {}}, {"node:2-3", "b", {}, {}}, {"a", "b", BytesPerSecond{B}, Seconds{L_s}, sharing}}};
  return cluster;
}

Cluster star(std::uint32_t nodes, Sharing backbone) {
  Cluster cluster = a_rank_per_node(nodes);
  cluster.network().topology = StarTopology{medium("", backbone)};
  return cluster;
}

Cluster bus(std::uint32_t nodes, Sharing sharing) {
  Cluster cluster = a_rank_per_node(nodes);
  cluster.network().topology =
      GraphTopology{{}, {{"node:0-" + std::to_string(nodes - 1), "bus", {}, {}}}, {medium("bus", sharing)}};
  return cluster;
}

Cluster adapters(std::uint32_t nodes, Sharing sharing, double both_ways = 0.0) {
  Cluster cluster = a_rank_per_node(nodes);
  cluster.network().sharing = sharing;
  cluster.network().both_ways = BytesPerSecond{both_ways};
  return cluster;
}

/// Three racks of two nodes, a medium between their switches.
Cluster racks() {
  Cluster cluster = a_rank_per_node(6);
  cluster.network().topology =
      GraphTopology{{"r0", "r1", "r2"},
                    {{"node:0-1", "r0", {}, {}}, {"node:2-3", "r1", {}, {}}, {"node:4-5", "r2", {}, {}}},
                    {medium("spine", Sharing::half_duplex, {"r0", "r1", "r2"})}};
  return cluster;
}

double carried(const RunResult& result, const std::string& name) {
  const auto found = std::ranges::find(result.resources, name, &ResourceRecord::name);
  return found == result.resources.end() ? 0.0 : found->bytes.si();
}

}  // namespace

TEST_SUITE("replay/media") {
  TEST_CASE("Opposite messages share a half-duplex cable and not a full-duplex one") {
    CHECK(time_of(two_switches(Sharing::full_duplex), {{0, 2}, {3, 1}}) == near(L + L_s + m / B));
    CHECK(time_of(two_switches(Sharing::half_duplex), {{0, 2}, {3, 1}}) == near(L + L_s + 2 * m / B));
    CHECK(time_of(two_switches(Sharing::half_duplex), {{0, 2}, {1, 3}}) == near(L + L_s + 2 * m / B));
    CHECK(time_of(two_switches(Sharing::half_duplex), {{0, 2}}) == near(L + L_s + m / B));
    // The shorter one ends first: its share is then the other's.
    CHECK(time_of(two_switches(Sharing::half_duplex), {{0, 2, m}, {3, 1, 3 * m}}) == near(L + L_s + 4 * m / B));
    // Within a switch nothing crosses the cable.
    CHECK(time_of(two_switches(Sharing::half_duplex), {{0, 2}, {3, 2}, {1, 0}}) == near(L + 2 * m / B));
  }

  TEST_CASE("A cable that limits each message alone gives all of them its bandwidth") {
    Cluster cluster = two_switches(Sharing::none);
    cluster.network().bandwidth = BytesPerSecond{4 * B};
    CHECK(time_of(cluster, {{0, 2}, {0, 3}, {1, 2}, {3, 1}}) == near(L + L_s + m / B));
    CHECK(time_of(cluster, {{0, 2}, {0, 3}, {0, 2}, {0, 3}, {0, 2}, {0, 3}, {0, 2}, {0, 3}}) ==
          near(L + L_s + 2 * m / B));  // eight leave one adapter
  }

  TEST_CASE("All pairs on a bus share it") {
    CHECK(time_of(bus(6, Sharing::half_duplex), {{0, 1}}) == near(L + L_s + m / S));
    CHECK(time_of(bus(6, Sharing::half_duplex), {{0, 1}, {2, 3}, {5, 4}}) == near(L + L_s + 3 * m / S));
    CHECK(time_of(bus(6, Sharing::half_duplex), {{0, 1}, {1, 0}}) == near(L + L_s + 2 * m / S));
    CHECK(time_of(bus(6, Sharing::none), {{0, 1}, {2, 3}, {5, 4}}) == near(L + L_s + m / S));
    const RunResult result = play(bus(6, Sharing::half_duplex), messages({{0, 1}, {2, 3}, {5, 4}}));
    CHECK(carried(result, "medium 'bus'") == near(3 * m));
    const auto kind = std::ranges::find(result.kind_loads, ResourceKind::medium, &KindLoad::kind);
    REQUIRE(kind != result.kind_loads.end());
    CHECK(kind->resources == 1);
    CHECK(kind->bytes.si() == near(3 * m));
  }

  TEST_CASE("Two pairs share the backbone of a star") {
    CHECK(time_of(star(4, Sharing::half_duplex), {{0, 1}}) == near(L + L_s + m / S));
    CHECK(time_of(star(4, Sharing::half_duplex), {{0, 1}, {3, 2}}) == near(L + L_s + 2 * m / S));
    CHECK(time_of(star(4, Sharing::none), {{0, 1}, {3, 2}}) == near(L + L_s + m / S));
    // Of one that is wide enough adapters are the limit.
    Cluster wide = star(4, Sharing::half_duplex);
    std::get<StarTopology>(wide.network().topology).backbone->bandwidth = BytesPerSecond{8 * B};
    CHECK(time_of(wide, {{0, 1}, {3, 2}}) == near(L + L_s + m / B));
    CHECK(time_of(wide, {{0, 1}, {3, 1}}) == near(L + L_s + 2 * m / B));
  }

  TEST_CASE("What limits each message alone leaves adapters shared") {
    CHECK(time_of(star(4, Sharing::none), {{0, 1}, {0, 2}, {0, 3}}) == near(L + L_s + m / S));
    CHECK(time_of(star(9, Sharing::none), {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {0, 6}, {0, 7}, {0, 8}}) ==
          near(L + L_s + 8 * m / B));
    Cluster cluster = star(4, Sharing::none);
    cluster.wire().wire_efficiency = PiecewiseFactor({{0.0, 0.8}});
    CHECK(time_of(cluster, {{0, 1}, {0, 2}}) == near(L + L_s + m / (0.8 * S)));
    cluster.wire().bandwidth_factor = PiecewiseFactor({{0.0, 0.5}});
    CHECK(time_of(cluster, {{0, 1}, {0, 2}}) == near(L + L_s + m / (0.5 * S)));
  }

  TEST_CASE("What an adapter sends and receives together has a limit") {
    CHECK(time_of(adapters(2, Sharing::full_duplex, 1.25 * B), {{0, 1}, {1, 0}}) == near(L + 2 * m / (1.25 * B)));
    CHECK(time_of(adapters(2, Sharing::full_duplex, 1.25 * B), {{0, 1}}) == near(L + m / B));
    CHECK(time_of(adapters(3, Sharing::full_duplex, 1.25 * B), {{0, 1}, {2, 0}}) == near(L + 2 * m / (1.25 * B)));
    CHECK(time_of(adapters(2, Sharing::full_duplex, 0.5 * B), {{0, 1}}) == near(L + m / (0.5 * B)));
    CHECK(time_of(adapters(2, Sharing::half_duplex), {{0, 1}, {1, 0}}) == near(L + 2 * m / B));
    CHECK(time_of(adapters(2, Sharing::half_duplex, 0.5 * B), {{0, 1}, {1, 0}}) == near(L + 4 * m / B));
    CHECK(time_of(adapters(4, Sharing::half_duplex), {{0, 1}, {3, 2}}) == near(L + m / B));
    Cluster cluster = adapters(3, Sharing::full_duplex);  // node 2 alone is half-duplex
    cluster.network().nics.assign(3, {BytesPerSecond{B}, Seconds{L}});
    cluster.network().nics[2].sharing = Sharing::half_duplex;
    CHECK(time_of(cluster, {{0, 1}, {1, 0}}) == near(L + m / B));
    CHECK(time_of(cluster, {{0, 2}, {2, 1}}) == near(L + 2 * m / B));
  }

  TEST_CASE("Adapters that limit each message alone") {
    CHECK(time_of(adapters(4, Sharing::none), {{0, 1}, {0, 2}, {0, 3}, {3, 0}}) == near(L + m / B));
    CHECK(time_of(adapters(4, Sharing::none, 2 * B), {{0, 1}, {0, 2}, {0, 3}, {3, 0}}) == near(L + 2 * m / B));
    CHECK(play(adapters(4, Sharing::none), messages({{0, 1}, {0, 2}})).resources.empty());
  }

  TEST_CASE("A medium between racks is crossed once and only between them") {
    CHECK(time_of(racks(), {{0, 1}}) == near(L + m / B));
    CHECK(time_of(racks(), {{0, 2}}) == near(L + L_s + m / S));
    CHECK(time_of(racks(), {{0, 2}, {3, 4}, {5, 1}}) == near(L + L_s + 3 * m / S));
  }

  TEST_CASE("Messages go over the links that routes name and each way has its own") {
    Cluster cluster = a_rank_per_node(2);
    GraphTopology graph{{"a", "b", "c"},
                        {{"node:0-0", "a", {}, {}},
                         {"node:1-1", "b", {}, {}},
                         {"a", "b", BytesPerSecond{B}, Seconds{1e-6}, Sharing::full_duplex, "ab"},
                         {"a", "c", BytesPerSecond{0.5 * B}, Seconds{2e-6}, Sharing::full_duplex, "ac"},
                         {"c", "b", BytesPerSecond{0.4 * B}, Seconds{4e-6}, Sharing::half_duplex, "cb"}},
                        {medium("bus", Sharing::half_duplex, {"a", "b"})},
                        {{"a", "b", {"ac", "cb"}, ""}}};
    cluster.network().topology = graph;
    CHECK(time_of(cluster, {{0, 1}}) == near(L + 6e-6 + m / (0.4 * B)));
    CHECK(time_of(cluster, {{1, 0}}) == near(L + 6e-6 + m / (0.4 * B)));
    CHECK(time_of(cluster, {{0, 1}, {1, 0}}) == near(L + 6e-6 + 2 * m / (0.4 * B)));
    graph.routes.push_back({"b", "a", {"bus"}, ""});
    cluster.network().topology = graph;
    CHECK(time_of(cluster, {{0, 1}}) == near(L + 6e-6 + m / (0.4 * B)));
    CHECK(time_of(cluster, {{1, 0}}) == near(L + L_s + m / S));
  }

  TEST_CASE("What holds messages back is the medium") {
    const auto path = path_of(bus(6, Sharing::half_duplex), messages({{0, 1}, {2, 3, 2 * m}, {5, 4, 3 * m}}));
    CHECK(path.run.of(ResourceKind::medium).si() == near(6 * m / S));
    REQUIRE(path.resources.size() == 1);
    CHECK(path.resources[0].name == "medium 'bus'");
  }

  TEST_CASE("Messages between nodes of several adapters share media as well") {
    Cluster cluster = star(4, Sharing::half_duplex);
    cluster.network().adapters.at = {{0, 0}};
    cluster.wire().pair_bandwidth = BytesPerSecond{2 * B};
    CHECK(time_of(cluster, {{0, 1}, {3, 2}}) == near(L + L_s + 2 * m / S));
    cluster = star(4, Sharing::none);
    cluster.network().adapters.at = {{0, 0}};
    CHECK(time_of(cluster, {{0, 1}, {3, 2}}) == near(L + L_s + m / S));
  }

  TEST_CASE("A fault of a half-duplex cable is one of both directions together") {
    Cluster cluster = two_switches(Sharing::half_duplex);
    const auto routes = build_routes(cluster.platform, cluster.network());
    const LinkId there = routes->first_cable(), back{static_cast<std::uint32_t>(index(there)) + 1};
    REQUIRE(routes->shared_by(there) == routes->shared_by(back));
    LinkFaults faults;
    for (const LinkId link : {there, back, *routes->shared_by(there)}) faults.add(link, {.bandwidth = 0.5});
    cluster.network().faults = std::make_shared<const LinkFaults>(faults);
    CHECK(time_of(cluster, {{0, 2}, {3, 1}}) == near(L + L_s + 4 * m / B));
  }

  TEST_CASE("Round a dead medium messages take links and round a dead link of a route the shortest way") {
    Cluster cluster = a_rank_per_node(2);
    GraphTopology graph{{"a", "b", "c"},
                        {{"node:0-0", "a", {}, {}},
                         {"node:1-1", "b", {}, {}},
                         {"a", "c", BytesPerSecond{0.5 * B}, Seconds{2e-6}, Sharing::full_duplex, "ac"},
                         {"c", "b", BytesPerSecond{B}, Seconds{4e-6}, Sharing::half_duplex, "cb"}},
                        {medium("bus", Sharing::half_duplex, {"a", "b"})}};
    cluster.network().topology = graph;
    CHECK(time_of(cluster, {{0, 1}}) == near(L + L_s + m / S));
    const auto kill = [&](const char* name) {
      const auto routes = build_routes(cluster.platform, cluster.network());
      LinkFaults faults;
      for (std::uint32_t i = 0; i < routes->links(); ++i)
        if (routes->link(LinkId{i}).name.find(name) != std::string::npos) faults.add(LinkId{i}, {.down = true});
      REQUIRE_FALSE(faults.links.empty());
      cluster.network().faults = std::make_shared<const LinkFaults>(faults);
    };
    kill("bus");
    CHECK(time_of(cluster, {{0, 1}}) == near(L + 6e-6 + m / (0.5 * B)));
    CHECK(time_of(cluster, {{0, 1}, {1, 0}}) == near(L + 6e-6 + 2 * m / B));
    graph.routes = {{"a", "b", {"ac", "cb"}, ""}};
    cluster.network().topology = graph;
    cluster.network().faults = nullptr;
    CHECK(time_of(cluster, {{0, 1}}) == near(L + 6e-6 + m / (0.5 * B)));
    kill("link:c>b");
    CHECK(time_of(cluster, {{0, 1}}) == near(L + L_s + m / S));
  }
}
