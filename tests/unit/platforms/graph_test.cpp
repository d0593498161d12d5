#include "platforms/graph.hpp"

#include <doctest/doctest.h>

#include "platforms/description.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/route_names.hpp"

using namespace orrery;
using test::near;

namespace {

/// NIC 10 GB/s; links between switches 5 GB/s.
std::unique_ptr<Routes> routes_of(std::uint32_t nodes, Topology topology) {
  Platform platform;
  platform.name = "test";
  platform.node_types.emplace_back();
  platform.node_counts = {nodes};
  Network network;
  network.name = "net";
  network.bandwidth = 10_GBps;
  network.link_bandwidth = 5_GBps;
  network.topology = std::move(topology);
  return build_routes(platform, network);
}

double bisection(const Routes& routes) { return bisection_bandwidth(routes)->bandwidth.si() / 1e9; }

}  // namespace

TEST_SUITE("platforms/graph") {
  TEST_CASE("The bisection of a star is the NICs of one half") {
    const auto routes = routes_of(16, StarTopology{});
    CHECK(bisection(*routes) == near(80.0));
    CHECK(bisection_bandwidth(*routes)->exact);
    CHECK(diameter(*routes).links == 2);
    CHECK(bisection(*routes_of(3, StarTopology{})) == near(10.0));
    CHECK_FALSE(bisection_bandwidth(*routes_of(1, StarTopology{})).has_value());
    CHECK(diameter(*routes_of(1, StarTopology{})).links == 0);
  }
  TEST_CASE("What all directions share bounds the bisection") {
    const auto medium = [](Sharing sharing, std::vector<std::string> between) {
      return Medium{"bus", 3_GBps, 1_us, sharing, std::move(between)};
    };
    CHECK(bisection(*routes_of(8, StarTopology{medium(Sharing::half_duplex, {})})) == near(3.0));
    GraphTopology bus{{}, {{"node:0-7", "bus", {}, {}}}, {medium(Sharing::half_duplex, {})}};
    CHECK(bisection(*routes_of(8, bus)) == near(3.0));
    bus.media[0].sharing = Sharing::none;
    CHECK(bisection(*routes_of(8, bus)) == near(40.0));
    // Three racks on a medium, and a cable between two of them.
    GraphTopology racks{{"a", "b", "c"},
                        {{"node:0-1", "a", {}, {}}, {"node:2-3", "b", {}, {}}, {"node:4-5", "c", {}, {}}},
                        {medium(Sharing::half_duplex, {"a", "b", "c"})}};
    CHECK(bisection(*routes_of(6, racks)) == near(13.0));  // and the NIC of a node whose rack is parted
    CHECK(bisection(*routes_of(4, {GraphTopology{{"a", "b"},
                                                 {{"node:0-1", "a", {}, {}},
                                                  {"node:2-3", "b", {}, {}},
                                                  {"a", "b", 1_GBps, 1_us, Sharing::half_duplex}},
                                                 {medium(Sharing::half_duplex, {"a", "b"})}}})) == near(4.0));
    GraphTopology free{{"a", "b"},
                       {{"node:0-1", "a", {}, {}}, {"node:2-3", "b", {}, {}}, {"a", "b", 1_GBps, 1_us, Sharing::none}}};
    CHECK(bisection(*routes_of(4, free)) == near(20.0));
  }
  TEST_CASE("The bisection of a fat tree is its links to the spines when they are narrower") {
    // Each of two leaves has 4 nodes of 10 GB/s and 4 cables of 5 GB/s. Splitting the leaves cuts 20 GB/s.
    const auto routes = routes_of(8, FatTreeTopology{{4, 2}, {1, 2}, {1, 2}});
    CHECK(bisection(*routes) == near(20.0));
    CHECK(bisection_bandwidth(*routes)->exact);
    CHECK(diameter(*routes).links == 4);
  }
  TEST_CASE("The bisection of a long torus cuts its longest dimension twice") {
    // 8 x 2: two rings of 8. Across the long dimension 2 rows x 2 cables x 5 GB/s.
    CHECK(bisection(*routes_of(16, TorusTopology{{8, 2}})) == near(20.0));
    CHECK(bisection(*routes_of(16, TorusTopology{{2, 8}})) == near(20.0));
    const auto cube = routes_of(64, TorusTopology{{4, 4, 4}});
    CHECK(bisection(*cube) == near(160.0));
    CHECK_FALSE(bisection_bandwidth(*cube)->exact);
    CHECK(diameter(*cube).links == 8);
    CHECK(bisection(*routes_of(64, TorusTopology{{2, 16, 2}})) == near(40.0));
  }
  TEST_CASE("A small torus is bisected exactly") {
    const auto ring = routes_of(6, TorusTopology{{6}});
    CHECK(bisection_bandwidth(*ring)->exact);
    CHECK(bisection(*ring) == near(10.0));
    CHECK(diameter(*ring).links == 5);
  }
  TEST_CASE("The diameter of a dragonfly is five links with its NICs") {
    CHECK(diameter(*routes_of(72, DragonflyTopology{9, 4, 2, 2})).links == 5);
    CHECK(diameter(*routes_of(12, DragonflyTopology{3, 2, 2, 1})).links == 5);
  }
  TEST_CASE("A graph knows its bottleneck and its paths") {
    const GraphTopology barbell{
        {"a", "b", "c"},
        {{"node:0-3", "a", {}, {}}, {"node:4-7", "c", {}, {}}, {"a", "b", 7_GBps, 1_us}, {"b", "c", 3_GBps, 1_us}}};
    const auto routes = routes_of(8, barbell);
    CHECK(connected(*routes));
    CHECK(bisection(*routes) == near(3.0));
    CHECK(diameter(*routes).links == 4);
    CHECK(test::route_names(*routes, NodeId{1}, NodeId{4}) ==
          std::vector<std::string>{"node 1", "a", "b", "c", "node 4"});
    CHECK(test::route_names(*routes, NodeId{1}, NodeId{1}) == std::vector<std::string>{"node 1"});
  }
}
