// The numbered ways between two adapters, on every topology.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "platforms/built_network.hpp"
#include "platforms/graph.hpp"
#include "platforms/routes.hpp"
#include "sim/core/error.hpp"
#include "tests/support/plain_platform.hpp"
#include "tests/support/route_names.hpp"

using namespace orrery;
using test::platform_of;

namespace {

std::vector<LinkId> path(const Routes& routes, std::uint32_t from, std::uint32_t to, std::uint64_t number) {
  std::vector<LinkId> links;
  routes.append_path(AdapterId{from}, AdapterId{to}, number, links);
  return links;
}

/// Every way goes from the one to the other without a gap, minimal ones are equally long and different.
void check_paths(const Platform& platform) {
  const auto routes = build_routes(platform, platform.networks[0]);
  for (std::uint32_t a = 0; a < routes->adapters(); ++a)
    for (std::uint32_t b = 0; b < routes->adapters(); ++b) {
      if (a == b) continue;
      const auto [minimal, detours] = routes->paths(AdapterId{a}, AdapterId{b});
      std::vector<LinkId> usual;
      routes->append_route(AdapterId{a}, AdapterId{b}, usual);
      std::set<std::vector<LinkId>> different;
      for (std::uint64_t number = 0; number < minimal + std::min<std::uint64_t>(detours, 8); ++number) {
        const auto links = path(*routes, a, b, number);
        REQUIRE(links.front() == LinkId{a});
        REQUIRE(links.back() == LinkId{routes->adapters() + b});
        for (std::size_t i = 1; i < links.size(); ++i)
          REQUIRE(routes->ends(links[i - 1]).second == routes->ends(links[i]).first);
        if (number >= minimal) continue;
        different.insert(links);
        if (std::holds_alternative<TorusTopology>(platform.networks[0].topology)) CHECK(links.size() == usual.size());
      }
      CHECK(different.size() == minimal);
      CHECK(different.contains(usual) == true);
    }
}

/// Two leaves of four nodes below four spines.
GraphTopology leaves_and_spines() {
  GraphTopology graph{{"a", "b", "s0", "s1", "s2", "s3"}, {{"node:0-3", "a", {}, {}}, {"node:4-7", "b", {}, {}}}};
  for (const char* leaf : {"a", "b"})
    for (const char* spine : {"s0", "s1", "s2", "s3"}) graph.edges.push_back({leaf, spine, 5_GBps, 1_us});
  return graph;
}

/// Three rows of three switches, nodes on two opposite corners.
GraphTopology mesh() {
  GraphTopology graph{{}, {{"node:0-0", "00", {}, {}}, {"node:1-1", "22", {}, {}}}};
  const auto name = [](int row, int column) { return std::to_string(row) + std::to_string(column); };
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) {
      graph.switches.push_back(name(row, column));
      if (row < 2) graph.edges.push_back({name(row, column), name(row + 1, column), 5_GBps, 1_us});
      if (column < 2) graph.edges.push_back({name(row, column), name(row, column + 1), 5_GBps, 1_us});
    }
  return graph;
}

}  // namespace

TEST_SUITE("platforms/paths") {
  TEST_CASE("Numbered ways lead from one adapter to the other and the deterministic one is among the minimal") {
    check_paths(platform_of(5, StarTopology{}));
    check_paths(platform_of(12, FatTreeTopology{{3, 4}, {1, 2}, {1, 2}}));
    check_paths(platform_of(12, FatTreeTopology{{2, 2, 3}, {1, 2, 2}, {1, 1, 2}}));
    check_paths(platform_of(24, TorusTopology{{2, 3, 4}}));
    check_paths(platform_of(24, TorusTopology{{2, 3, 4}, {true, false, true}}));
    check_paths(platform_of(24, DragonflyTopology{3, 4, 2, 2}));
    check_paths(platform_of(24, DragonflyPlusTopology{3, 4, 3, 2, 2}));
    check_paths(platform_of(24, DragonflyPlusTopology{4, 3, 2, 2, 2}));
    check_paths(platform_of(8, leaves_and_spines()));
    check_paths(platform_of(2, mesh()));
  }

  TEST_CASE("A free graph has each of its equally short ways and spreads destinations over them") {
    const Platform tree = platform_of(8, leaves_and_spines());
    const auto routes = build_routes(tree, tree.networks[0]);
    CHECK(routes->paths(AdapterId{0}, AdapterId{4}).minimal == 4);
    CHECK(routes->paths(AdapterId{0}, AdapterId{4}).detours == 4);  // over the spines too
    CHECK(routes->paths(AdapterId{0}, AdapterId{1}).minimal == 1);
    for (std::uint32_t to = 4; to < 8; ++to)
      CHECK(test::route_names(*routes, NodeId{1}, NodeId{to})[2] == "s" + std::to_string(to - 4));
    const Platform grid = platform_of(2, mesh());
    const auto turns = build_routes(grid, grid.networks[0])->paths(AdapterId{0}, AdapterId{1});
    CHECK(turns.minimal == 6);  // two steps down among four
    CHECK(turns.detours == 7);
  }

  TEST_CASE("Cables side by side are ways of their own and latencies add up alike in any order") {
    GraphTopology graph{{"a", "b", "c", "d", "e", "f"},
                        {{"node:0-0", "a", {}, {}},
                         {"node:1-1", "d", {}, {}},
                         {"a", "b", 5_GBps, 0.1_us},
                         {"b", "c", 5_GBps, 0.2_us},
                         {"c", "d", 5_GBps, 0.3_us},
                         {"a", "e", 5_GBps, 0.3_us},
                         {"e", "f", 5_GBps, 0.2_us},
                         {"f", "d", 5_GBps, 0.1_us}}};
    const auto minimal = [&] {
      const Platform platform = platform_of(2, graph);
      check_paths(platform);
      return build_routes(platform, platform.networks[0])->paths(AdapterId{0}, AdapterId{1}).minimal;
    };
    CHECK(minimal() == 2);
    graph.edges.push_back({"b", "c", 5_GBps, 0.2_us});
    CHECK(minimal() == 3);
    graph.edges.push_back({"a", "e", 5_GBps, 0.4_us});  // slower
    CHECK(minimal() == 3);
  }

  TEST_CASE("A detour over a switch that no cable joins is a straight way") {
    GraphTopology graph = leaves_and_spines();
    graph.switches.push_back("unused");
    const Platform platform = platform_of(8, graph);
    check_paths(platform);
    const auto routes = build_routes(platform, platform.networks[0]);
    CHECK(path(*routes, 0, 4, 4 + 4).size() == 4);
  }

  TEST_CASE("A fat tree has a way for each port upwards") {
    const Platform platform = platform_of(12, FatTreeTopology{{3, 4}, {1, 2}, {1, 2}});
    const auto routes = build_routes(platform, platform.networks[0]);
    CHECK(routes->paths(AdapterId{0}, AdapterId{3}).minimal == 4);
    CHECK(routes->paths(AdapterId{0}, AdapterId{1}).minimal == 1);
    CHECK(routes->paths(AdapterId{0}, AdapterId{3}).detours == 0);
  }

  TEST_CASE("A torus has a way for each order of the dimensions") {
    const Platform platform = platform_of(27, TorusTopology{{3, 3, 3}});
    const auto routes = build_routes(platform, platform.networks[0]);
    CHECK(routes->paths(AdapterId{0}, AdapterId{13}).minimal == 6);  // (1, 1, 1)
    CHECK(routes->paths(AdapterId{0}, AdapterId{1}).minimal == 1);
    CHECK(routes->paths(AdapterId{0}, AdapterId{1}).detours == 25);
  }

  TEST_CASE("A dimension that does not wrap is walked back to where it began") {
    const Platform line = platform_of(5, TorusTopology{{5}, {false}}), ring = platform_of(5, TorusTopology{{5}});
    const auto open = build_routes(line, line.networks[0]), closed = build_routes(ring, ring.networks[0]);
    CHECK(open->route(NodeId{0}, NodeId{4}).size() == 2 + 4);
    CHECK(closed->route(NodeId{0}, NodeId{4}).size() == 2 + 1);
    CHECK(index(open->end_of_cables()) - index(open->first_cable()) == 8);
    CHECK(diameter(*open).links == 6);
    CHECK(bisection_bandwidth(*open)->bandwidth == 5_GBps);
    CHECK(bisection_bandwidth(*closed)->bandwidth == 10_GBps);
  }

  TEST_CASE("A dragonfly+ crosses one global link between two cells and two on a detour") {
    const Platform platform = platform_of(24, DragonflyPlusTopology{3, 4, 2, 2, 2});
    const auto routes = build_routes(platform, platform.networks[0]);
    const auto globals = [&](std::uint64_t number) {
      std::uint32_t count = 0;
      for (const LinkId id : path(*routes, 0, 23, number))
        count += routes->parameters(id).kind == ResourceKind::global_link;
      return count;
    };
    const auto [minimal, detours] = routes->paths(AdapterId{0}, AdapterId{23});
    CHECK(minimal == 2);
    CHECK(detours == 2);
    CHECK(globals(0) == 1);
    CHECK(globals(minimal) == 2);
    CHECK(routes->route(NodeId{0}, NodeId{23}).size() == 5);  // NIC, up, global, down, NIC
    CHECK(routes->route(NodeId{0}, NodeId{7}).size() == 4);
    CHECK(routes->route(NodeId{0}, NodeId{1}).size() == 2);
  }

  TEST_CASE("Rails on leaves of their own meet their like at the leaf") {
    Platform platform = platform_of(8, FatTreeTopology{{4, 4}, {1, 2}, {1, 1}});
    platform.networks[0].adapters.at = {{0, 0}};
    platform.networks[0].adapters.rail_leaves = true;
    const auto routes = build_routes(platform, platform.networks[0]);
    const auto length = [&](std::uint32_t a, std::uint32_t rail, std::uint32_t b, std::uint32_t other) {
      std::vector<LinkId> links;
      routes->append_route(routes->adapter(NodeId{a}, rail), routes->adapter(NodeId{b}, other), links);
      return links.size();
    };
    CHECK(length(0, 1, 3, 1) == 2);  // four nodes to a leaf
    CHECK(length(0, 0, 3, 1) == 4);
    CHECK(length(0, 1, 4, 1) == 4);
    CHECK(routes->words(LinkId{3}) == "outgoing adapter 1 of node 1");
  }

  TEST_CASE("Rails on leaves of their own hold the like of all types of nodes") {
    // 6 nodes with two adapters, 6 with one: four to a leaf, so that two of the second share leaves with the first.
    Platform platform = platform_of(12, FatTreeTopology{{4, 5}, {1, 2}, {1, 1}});
    platform.node_types.push_back(platform.node_types[0]);
    platform.node_counts = {6, 6};
    platform.networks[0].adapters = {.at = {{0, 0}, {0}}, .rail_leaves = true};
    const auto routes = build_routes(platform, platform.networks[0]);
    const auto leaf = [&](std::uint32_t node, std::uint32_t rail) {
      return routes->ends(LinkId{static_cast<std::uint32_t>(routes->adapter(NodeId{node}, rail))}).second - 18;
    };
    CHECK(leaf(3, 0) == 0);
    CHECK(leaf(3, 1) == 1);
    CHECK(leaf(4, 0) == 2);
    CHECK(leaf(7, 0) == 2);  // has one adapter
    CHECK(leaf(5, 1) == 3);
    CHECK(leaf(8, 0) == 4);
    CHECK(rails_of(*routes) == std::vector<std::uint32_t>{0, 1, 0, 1, 0, no_rail, no_rail});
    const BuiltNetwork found = built(*routes);
    CHECK(found.leaves_of_rail == std::vector<std::uint32_t>{3, 2});
    REQUIRE(found.kinds.size() == 2);
    CHECK(found.kinds[0].name == "leaf switch");
    CHECK(found.kinds[0].adapters == 18);
    REQUIRE(found.cables.size() == 1);
    CHECK(found.cables[0].count == 10);
    CHECK(found.cables[0].bandwidth == 50_GBps);
    CHECK(found.cables[0].least == 2.0);  // two adapters of 10 GB/s over two cables of 5
    CHECK(found.cables[0].most == 4.0);
  }

  TEST_CASE("Nodes without an adapter are not on a network") {
    Platform platform = platform_of(6, TorusTopology{{4}});
    platform.node_types.resize(3, platform.node_types[0]);
    platform.node_counts = {1, 2, 3};
    platform.networks[0].adapters.at = {{0}, {}, {0}};
    const auto routes = build_routes(platform, platform.networks[0]);
    CHECK(routes->adapters() == 4);
    CHECK(routes->node_of(AdapterId{1}) == NodeId{3});
    CHECK(routes->ends(LinkId{1}).second - 4 == 1);  // the second router is that of the second node on the network
    CHECK(routes->route(NodeId{0}, NodeId{5}).size() == 3);
    CHECK(diameter(*routes).links == 4);
    const BuiltNetwork found = built(*routes);
    CHECK(found.nodes == 6);
    CHECK(found.joined == 4);
    platform.node_counts = {1, 2, 4};
    CHECK_THROWS_WITH_AS(build_routes(platform, platform.networks[0]),
                         "platform 'test <platform>': network 'net' has 4 places, but the platform has 5 nodes (each "
                         "needs a place). Enlarge its topology?",
                         InputError);
  }

  TEST_CASE("Bisection of nodes with several adapters parts nodes and not their adapters") {
    // Both adapters of a node on one leaf: 4 uplinks of 5 GB/s from the leaf that half of the nodes are on.
    Platform platform = platform_of(4, FatTreeTopology{{4, 2}, {1, 4}, {1, 1}});
    platform.networks[0].adapters.at = {{0, 0}};
    CHECK(bisection_bandwidth(*build_routes(platform, platform.networks[0]))->bandwidth == 20_GBps);
    // With a leaf for each rail every pair of nodes meets at the leaf: 2 nodes x 2 adapters x 10 GB/s.
    platform.networks[0].adapters.rail_leaves = true;
    CHECK(bisection_bandwidth(*build_routes(platform, platform.networks[0]))->bandwidth == 40_GBps);
  }
}
