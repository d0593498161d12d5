// The numbered ways between two adapters, on every topology.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "platforms/graph.hpp"
#include "platforms/routes.hpp"
#include "tests/support/plain_platform.hpp"

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
        count += routes->figures(id).kind == ResourceKind::global_link;
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
