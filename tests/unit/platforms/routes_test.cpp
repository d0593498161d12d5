#include "platforms/routes.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "tests/support/plain_platform.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;
using test::platform_of;

namespace {

std::unique_ptr<Routes> routes_of(std::uint32_t nodes, Topology topology) {
  const Platform platform = platform_of(nodes, std::move(topology));
  return build_routes(platform, platform.networks[0]);
}

std::string vertex_name(const Routes& routes, std::uint32_t vertex) {
  return vertex < routes.nodes() ? std::to_string(vertex) : routes.switch_name(vertex - routes.nodes());
}

/// The vertices a route passes: "0 leaf-0 spine-1 leaf-1 5"; checks that each link begins where the last ended.
std::string way(const Routes& routes, std::uint32_t from, std::uint32_t to) {
  std::string text = std::to_string(from);
  std::uint32_t at = from;
  for (const LinkId id : routes.route(NodeId{from}, NodeId{to})) {
    const auto [begin, end] = routes.ends(id);
    CHECK(begin == at);
    at = end;
    text += " " + vertex_name(routes, end);
  }
  return text;
}

GraphTopology diamond() {
  // a - b - d is slower than a - c - d; both have two links. e hangs on a chain behind d.
  return {{"a", "b", "c", "d", "e"},
          {{"node:0-1", "a", {}, {}},
           {"node:2-2", "d", {}, {}},
           {"node:3-3", "e", {}, {}},
           {"a", "b", 5_GBps, 1_us},
           {"b", "d", 5_GBps, 1_us},
           {"a", "c", 4_GBps, 0.5_us},
           {"c", "d", 3_GBps, 0.5_us},
           {"d", "e", 1_GBps, 0.1_us}}};
}

}  // namespace

TEST_SUITE("platforms/routes") {
  TEST_CASE("A node has no route to itself in any topology") {
    CHECK(routes_of(4, StarTopology{})->route(NodeId{2}, NodeId{2}).empty());
    CHECK(routes_of(4, TorusTopology{{4}})->latency(NodeId{2}, NodeId{2}) == 0_s);
  }
  TEST_CASE("A star route is NIC out and NIC in and shares the latency between them") {
    const auto routes = routes_of(16, StarTopology{});
    CHECK(routes->links() == 32);
    const auto route = routes->route(NodeId{3}, NodeId{7});
    REQUIRE(route.size() == 2);
    CHECK(routes->link(route[0]).name == "nic-out:3");
    CHECK(routes->link(route[0]).kind == ResourceKind::nic_out);
    CHECK(routes->link(route[1]).name == "nic-in:7");
    CHECK(routes->link(route[1]).kind == ResourceKind::nic_in);
    CHECK(routes->latency(NodeId{3}, NodeId{7}) == 2_us);
    CHECK(routes->bandwidth(NodeId{3}, NodeId{7}) == 10_GBps);
    CHECK(way(*routes, 3, 7) == "3 switch 7");
  }

  TEST_CASE("A fat tree routes up by the destination modulo the parents and down to it") {
    // Two leaves of four nodes, two spines, two cables between each leaf and spine.
    const auto routes = routes_of(8, FatTreeTopology{{4, 2}, {1, 2}, {1, 2}});
    CHECK(routes->switches() == 4);
    CHECK(routes->links() == 16 + 2 * 2 * 2 * 2);
    CHECK(way(*routes, 0, 3) == "0 leaf-0 3");
    CHECK(way(*routes, 0, 4) == "0 leaf-0 spine-0 leaf-1 4");
    CHECK(way(*routes, 0, 5) == "0 leaf-0 spine-1 leaf-1 5");
    CHECK(way(*routes, 7, 2) == "7 leaf-1 spine-0 leaf-0 2");
    // Destinations 4 and 6 share spine 0 but not its cable; 0 and 1 share the whole way to 4.
    CHECK(routes->route(NodeId{0}, NodeId{4})[1] != routes->route(NodeId{0}, NodeId{6})[1]);
    CHECK(routes->route(NodeId{0}, NodeId{4})[1] == routes->route(NodeId{1}, NodeId{4})[1]);
    CHECK(routes->latency(NodeId{0}, NodeId{4}).si() == near(2.2e-6, 1e-12));
    CHECK(routes->bandwidth(NodeId{0}, NodeId{4}) == 5_GBps);
  }
  TEST_CASE("A fat tree of three levels climbs only as high as it must") {
    // m = 2,2,2 and w = 1,2,2: leaf-0..3, level2-0..3, spine-0..3; hand routes by the formula of the file's header.
    const auto routes = routes_of(8, FatTreeTopology{{2, 2, 2}, {1, 2, 2}, {1, 1, 1}});
    CHECK(routes->switches() == 12);
    CHECK(way(*routes, 0, 1) == "0 leaf-0 1");
    CHECK(way(*routes, 0, 2) == "0 leaf-0 level2-0 leaf-1 2");
    CHECK(way(*routes, 0, 3) == "0 leaf-0 level2-1 leaf-1 3");
    CHECK(way(*routes, 0, 7) == "0 leaf-0 level2-1 spine-3 level2-3 leaf-3 7");
    CHECK(way(*routes, 0, 4) == "0 leaf-0 level2-0 spine-0 level2-2 leaf-2 4");
    CHECK(way(*routes, 5, 2) == "5 leaf-2 level2-2 spine-2 level2-0 leaf-1 2");
  }

  TEST_CASE("A torus routes in dimension order the shorter way round") {
    const auto routes = routes_of(15, TorusTopology{{5, 3}});
    CHECK(way(*routes, 0, 2) == "0 router-0 router-1 router-2 2");
    CHECK(way(*routes, 0, 3) == "0 router-0 router-4 router-3 3");
    CHECK(way(*routes, 0, 14) == "0 router-0 router-4 router-14 14");
    CHECK(way(*routes, 6, 11) == "6 router-6 router-11 11");
    CHECK(way(*routes, 11, 1) == "11 router-11 router-1 1");
    CHECK(routes->links() == 30 + 15 * 4);
  }
  TEST_CASE("A torus goes upwards on ties and has one cable in dimensions of two") {
    CHECK(way(*routes_of(4, TorusTopology{{4}}), 1, 3) == "1 router-1 router-2 router-3 3");
    const auto routes = routes_of(8, TorusTopology{{2, 1, 4}});
    CHECK(routes->links() == 16 + 8 * 3);
    CHECK(way(*routes, 0, 1) == "0 router-0 router-1 1");
    CHECK(way(*routes, 1, 0) == "1 router-1 router-0 0");
    CHECK(way(*routes, 1, 6) == "1 router-1 router-0 router-6 6");
  }

  TEST_CASE("A dragonfly routes by at most local and global and local link") {
    // 3 groups of 2 routers with 2 nodes and 1 global link each: port k of a group is that of router k.
    const auto routes = routes_of(12, DragonflyTopology{3, 2, 2, 1});
    CHECK(way(*routes, 0, 1) == "0 group0-router0 1");
    CHECK(way(*routes, 0, 3) == "0 group0-router0 group0-router1 3");
    // Port 0 of group 0 leads to group 1 and meets its port 1; port 1 leads to group 2 and meets its port 0.
    CHECK(way(*routes, 0, 6) == "0 group0-router0 group1-router1 6");
    CHECK(way(*routes, 0, 4) == "0 group0-router0 group1-router1 group1-router0 4");
    CHECK(way(*routes, 2, 4) == "2 group0-router1 group0-router0 group1-router1 group1-router0 4");
    CHECK(way(*routes, 0, 8) == "0 group0-router0 group0-router1 group2-router0 8");
    CHECK(way(*routes, 6, 0) == "6 group1-router1 group0-router0 0");
    CHECK(routes->links() == 24 + 3 * 2 + 3 * 2);
  }
  TEST_CASE("A dragonfly with copies of global links spreads destinations over them") {
    const auto routes = routes_of(16, DragonflyTopology{2, 4, 2, 1});
    CHECK(way(*routes, 0, 8) == "0 group0-router0 group1-router0 8");
    CHECK(way(*routes, 0, 9) == "0 group0-router0 group0-router1 group1-router1 group1-router0 9");
  }

  TEST_CASE("A graph routes by fewest links and then least latency") {
    const auto routes = routes_of(4, diamond());
    CHECK(way(*routes, 0, 1) == "0 a 1");
    CHECK(way(*routes, 0, 2) == "0 a c d 2");
    CHECK(way(*routes, 3, 0) == "3 e d c a 0");
    CHECK(routes->latency(NodeId{0}, NodeId{2}).si() == near(3e-6, 1e-12));
    CHECK(routes->bandwidth(NodeId{0}, NodeId{2}) == 3_GBps);
    CHECK(routes->bandwidth(NodeId{0}, NodeId{3}) == 1_GBps);
    CHECK(routes->links() == 8 + 10);
  }
  TEST_CASE("A graph without a path is refused with the two nodes") {
    GraphTopology graph = diamond();
    graph.edges.pop_back();
    CHECK_THROWS_WITH_AS(
        routes_of(4, graph),
        "platform 'test <platform>': network 'net' has no path from node 0 at 'a' to node 3 at 'e' (all nodes must be "
        "connected). Add a link?",
        InputError);
  }
  TEST_CASE("A topology with too few places is refused") {
    CHECK_THROWS_WITH_AS(
        routes_of(17, TorusTopology{{4, 4}}),
        "platform 'test <platform>': network 'net' has 16 places, but the platform has 17 nodes (each needs a "
        "place). Enlarge its topology?",
        InputError);
  }
  TEST_CASE("A million nodes need no memory for their routes") {
    const auto routes = routes_of(1u << 20, FatTreeTopology{{32, 32, 32, 32}, {1, 16, 16, 16}, {1, 1, 1, 1}});
    const auto route = routes->route(NodeId{5}, NodeId{(1u << 20) - 1});
    CHECK(route.size() == 8);
    for (std::size_t i = 0; i + 1 < route.size(); ++i)
      CHECK(routes->ends(route[i]).second == routes->ends(route[i + 1]).first);
  }
  TEST_CASE("Every link of every topology has ends that lie in the graph") {
    for (const Topology& topology : {Topology{StarTopology{}}, Topology{FatTreeTopology{{4, 3}, {1, 2}, {1, 3}}},
                                     Topology{TorusTopology{{4, 3}}}, Topology{DragonflyTopology{3, 2, 2, 1}}}) {
      const auto routes = routes_of(12, topology);
      for (std::uint32_t i = 0; i < routes->links(); ++i) {
        const auto [from, to] = routes->ends(LinkId{i});
        CHECK(from != to);
        CHECK(std::max(from, to) < routes->nodes() + routes->switches());
      }
    }
  }
}
