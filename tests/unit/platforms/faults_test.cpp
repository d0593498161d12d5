// Routes round dead links, on every topology.
#include "platforms/faults.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <set>

#include "sim/core/error.hpp"
#include "sim/core/mixed.hpp"
#include "tests/support/plain_platform.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;
using test::platform_of;

namespace {

/// Some cables are dead in both directions.
Platform with_dead_cables(Platform platform, std::uint32_t count, std::uint64_t seed) {
  const auto routes = build_routes(platform, platform.networks[0]);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<LinkId>> cables;
  for (auto i = static_cast<std::uint32_t>(routes->first_cable()); LinkId{i} < routes->end_of_cables(); ++i)
    cables[std::minmax(routes->ends(LinkId{i}).first, routes->ends(LinkId{i}).second)].push_back(LinkId{i});
  std::vector<std::vector<LinkId>> all;
  for (const auto& [ends, links] : cables) all.push_back(links);
  LinkFaults faults{.where = "here"};
  for (std::uint32_t k = 0; k < count; ++k)
    for (const LinkId link : all[mixed(mixed(seed) ^ k) % all.size()]) faults.add(link, {.down = true});
  platform.networks[0].faults = std::make_shared<const LinkFaults>(std::move(faults));
  return platform;
}

/// From the one to the other without a gap and over nothing dead.
bool leads(const Routes& routes, const std::vector<LinkId>& links, std::uint32_t a, std::uint32_t b) {
  if (links.front() != LinkId{a} || links.back() != LinkId{routes.adapters() + b}) return false;
  for (std::size_t i = 1; i < links.size(); ++i)
    if (routes.ends(links[i - 1]).second != routes.ends(links[i]).first) return false;
  return std::ranges::none_of(links, [&](LinkId link) { return routes.down(link); });
}

/// Whether cables that are alive join the switches of two adapters.
bool joined(const Routes& routes, std::uint32_t a, std::uint32_t b) {
  std::set<std::uint32_t> reached{routes.ends(LinkId{a}).second};
  for (std::size_t before = 0; before != reached.size();) {
    before = reached.size();
    for (auto i = static_cast<std::uint32_t>(routes.first_cable()); LinkId{i} < routes.end_of_cables(); ++i)
      if (!routes.down(LinkId{i}) && reached.contains(routes.ends(LinkId{i}).first))
        reached.insert(routes.ends(LinkId{i}).second);
  }
  return reached.contains(routes.ends(LinkId{b}).second);
}

std::vector<Platform> platforms() {
  const GraphTopology::Edge edge{"", "", 5_GBps, 0.1_us};
  GraphTopology graph{{"a", "b", "c", "d"}, {}};
  const auto join = [&](const std::string& from, const std::string& to) {
    graph.edges.push_back({from, to, edge.bandwidth, edge.latency});
  };
  join("node:0-2", "a"), join("node:3-5", "d");
  join("a", "b"), join("a", "c"), join("b", "d"), join("c", "d"), join("b", "c");
  return {platform_of(16, FatTreeTopology{{4, 4}, {1, 3}, {1, 2}}),
          platform_of(16, FatTreeTopology{{2, 2, 4}, {1, 2, 2}, {1, 1, 1}}),
          platform_of(12, TorusTopology{{4, 3}}),
          platform_of(24, DragonflyTopology{4, 3, 2, 1}),
          platform_of(12, DragonflyPlusTopology{3, 2, 2, 2, 1}),
          platform_of(6, graph)};
}

}  // namespace

TEST_SUITE("platforms/faults") {
  TEST_CASE("Links between groups take longer by what the topology says and those inside them do not") {
    const auto latency = [](auto topology, Seconds more, NodeId to) {
      topology.global_latency = more;
      Platform platform = platform_of(24, topology);
      platform.networks[0].link_latency = 0.1_us;
      const auto routes = build_routes(platform, platform.networks[0]);
      Seconds sum{};
      for (const LinkId id : routes->route(NodeId{0}, to))
        if (id >= routes->first_cable() && id < routes->end_of_cables()) sum += routes->parameters(id).latency;
      return sum.si() * 1e6;
    };
    const DragonflyPlusTopology cells{3, 4, 2, 2, 2};
    const DragonflyTopology groups{3, 4, 2, 1};
    CHECK(latency(cells, 0.9_us, NodeId{7}) == near(0.2));   // up and down
    CHECK(latency(cells, 0.9_us, NodeId{23}) == near(1.2));  // up, over, down
    CHECK(latency(cells, Seconds{}, NodeId{23}) == near(0.3));
    CHECK(latency(groups, 0.9_us, NodeId{7}) == near(0.1));
    CHECK(latency(groups, 0.9_us, NodeId{8}) - latency(groups, Seconds{}, NodeId{8}) == near(0.9));
  }
  TEST_CASE("Every way between two adapters avoids what is dead and is refused only where nothing joins them") {
    std::size_t refused = 0, led = 0;
    for (const Platform& healthy : platforms())
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const Platform platform = with_dead_cables(healthy, static_cast<std::uint32_t>(seed), seed);
        const auto routes = build_routes(platform, platform.networks[0]);
        for (std::uint32_t a = 0; a < routes->adapters(); ++a)
          for (std::uint32_t b = 0; b < routes->adapters(); ++b) {
            if (a == b) continue;
            const AdapterId from{a}, to{b};
            std::vector<LinkId> links;
            if (!joined(*routes, a, b)) {
              CHECK_THROWS_AS(routes->append_route(from, to, links), InputError);
              ++refused;
              continue;
            }
            routes->append_route(from, to, links);
            REQUIRE(leads(*routes, links, a, b));
            const auto [minimal, detours] = routes->paths(from, to);
            REQUIRE(minimal > 0);
            for (std::uint64_t path = 0; path < minimal + std::min<std::uint64_t>(detours, 9); ++path) {
              links.clear();
              routes->append_path(from, to, path, links);
              REQUIRE(leads(*routes, links, a, b));
              ++led;
            }
          }
      }
    CHECK(refused > 0);
    CHECK(led > 0);
  }

  TEST_CASE("Shortest ways that are left are counted anew and differ") {
    const Platform healthy = platform_of(8, FatTreeTopology{{4, 2}, {1, 4}, {1, 1}});
    Platform platform = healthy;
    LinkFaults faults{.where = "here"};
    faults.add(LinkId{16 + 2}, {.down = true});  // up from leaf 0 to spine 1
    platform.networks[0].faults = std::make_shared<const LinkFaults>(std::move(faults));
    const auto before = build_routes(healthy, healthy.networks[0]),
               after = build_routes(platform, platform.networks[0]);
    const AdapterId a{0}, b{5};
    CHECK(before->paths(a, b).minimal == 4);
    CHECK(after->paths(a, b).minimal == 3);
    CHECK(after->paths(b, a).minimal == 4);  // downwards it lives
    std::set<std::vector<LinkId>> ways;
    for (std::uint64_t path = 0; path < 3; ++path) {
      std::vector<LinkId> links;
      after->append_path(a, b, path, links);
      ways.insert(links);
    }
    CHECK(ways.size() == 3);
  }

  TEST_CASE("Destinations of several dead ways are spread over all that are left") {
    Platform platform = platform_of(40, FatTreeTopology{{20, 2}, {1, 2}, {1, 10}});
    LinkFaults faults{.where = "here"};
    for (std::uint32_t link = 20; link < 40; ++link) faults.add(LinkId{80 + link}, {.down = true});  // leaf 0, spine 1
    platform.networks[0].faults = std::make_shared<const LinkFaults>(std::move(faults));
    const auto routes = build_routes(platform, platform.networks[0]);
    std::map<LinkId, int> destinations;
    for (std::uint32_t to = 20; to < 40; ++to) ++destinations[routes->route(NodeId{0}, NodeId{to})[1]];
    CHECK(destinations.size() == 10);
    CHECK(std::ranges::all_of(destinations, [](const auto& one) { return one.second == 2; }));
  }

  TEST_CASE("Two faults of one link hold together") {
    Platform platform = platform_of(4, StarTopology{});
    LinkFaults faults{.where = "here"};
    faults.add(LinkId{1}, {.bandwidth = 0.5, .latency = 1_us});
    faults.add(LinkId{1}, {.bandwidth = 0.5, .latency = 2_us});
    CHECK(!faults.any_down());
    platform.networks[0].faults = std::make_shared<const LinkFaults>(std::move(faults));
    const auto routes = build_routes(platform, platform.networks[0]);
    CHECK(routes->parameters(LinkId{1}).bandwidth == 2.5_GBps);
    CHECK(routes->link(LinkId{1}).latency == 4_us);  // half of 2 us, and 3 us
    CHECK(routes->parameters(LinkId{0}).bandwidth == 10_GBps);
    CHECK(routes->bandwidth(NodeId{1}, NodeId{2}) == 2.5_GBps);
  }
}
