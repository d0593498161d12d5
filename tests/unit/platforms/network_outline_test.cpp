#include "platforms/network_outline.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "tests/support/plain_platform.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;
using test::platform_of;

namespace {

OutlinedNetwork outlined(std::uint32_t nodes, Topology topology) {
  const Platform platform = platform_of(nodes, std::move(topology));
  return outline_of(platform, platform.networks[0], *build_routes(platform, platform.networks[0]));
}

/// Words of every link between switches.
std::set<std::string> words_of(std::uint32_t nodes, Topology topology) {
  const Platform platform = platform_of(nodes, std::move(topology));
  const auto routes = build_routes(platform, platform.networks[0]);
  std::set<std::string> all;
  for (std::uint32_t i = 2 * nodes; i < routes->links(); ++i) all.insert(routes->words(LinkId{i}));
  CHECK(all.size() == routes->links() - 2 * nodes);  // each of its own
  return all;
}

GraphTopology chain() {
  return {{"left", "middle", "right"},
          {{"node:0-1", "left", {}, {}},
           {"node:2-3", "right", {}, {}},
           {"left", "middle", 5_GBps, 1_us},
           {"left", "middle", 5_GBps, 1_us},
           {"middle", "right", 4_GBps, 1_us}}};
}

const std::vector<std::pair<std::uint32_t, Topology>>& topologies() {
  static const std::vector<std::pair<std::uint32_t, Topology>> all{
      {5000, StarTopology{}},
      {512, FatTreeTopology{{16, 32}, {1, 16}, {1, 1}}},
      {500, FatTreeTopology{{16, 8, 4}, {1, 8, 8}, {1, 1, 2}}},
      {8192, FatTreeTopology{{32, 16, 16}, {1, 16, 16}, {1, 1, 1}}},
      {72, DragonflyTopology{9, 4, 2, 2}},
      {4224, DragonflyTopology{33, 16, 8, 4}},
      {12, TorusTopology{{12}}},
      {64, TorusTopology{{8, 8}}},
      {4096, TorusTopology{{16, 16, 16}}},
      {1024, TorusTopology{{4, 4, 4, 4, 4}}},
      {4, chain()}};
  return all;
}

}  // namespace

TEST_SUITE("platforms/network outline") {
  TEST_CASE("Links say in words where they are and which of several cables they are") {
    const auto tree = words_of(8, FatTreeTopology{{2, 2, 2}, {1, 2, 2}, {1, 1, 2}});
    CHECK(tree.contains("uplink of leaf switch 1 to level-2 switch 0"));
    CHECK(tree.contains("downlink of level-2 switch 0 to leaf switch 1"));
    CHECK(tree.contains("uplink of level-2 switch 3 to spine switch 1, cable 2 of 2"));
    const auto torus = words_of(16, TorusTopology{{4, 4}});
    CHECK(torus.contains("link from router (3, 2) to router (0, 2)"));
    const auto fly = words_of(6, DragonflyTopology{2, 3, 1, 2});
    CHECK(fly.contains("local link from router 0 of group 1 to router 2 of group 1"));
    CHECK(std::ranges::any_of(fly, [](const std::string& words) {
      return words.starts_with("global link from router 0 of group 0 to router ") && words.ends_with(", cable 2 of 2");
    }));
    const auto graph = words_of(4, chain());
    CHECK(graph.contains("link from switch 'left' to switch 'middle', cable 2 of 2"));
    CHECK(graph.contains("link from switch 'right' to switch 'middle'"));
  }

  TEST_CASE("Every link belongs to a slot of its own kind and every node to one cell") {
    for (const auto& [nodes, topology] : topologies()) {
      const auto network = outlined(nodes, topology);
      const NetworkOutline& outline = network.outline;
      const std::size_t cable_slots = 2 * outline.cables.size();
      std::uint32_t in_cells = 0, adapters = 0;
      for (const auto& cell : outline.cells) {
        in_cells += cell.count;
        adapters += cell.adapters;
      }
      CHECK(in_cells == nodes);
      CHECK(adapters == nodes);
      std::vector<std::uint32_t> links(outline.slots(), 0);
      for (std::size_t i = 0; i < network.slot_of_link.size(); ++i) {
        REQUIRE(network.slot_of_link[i] < outline.slots());
        CHECK((network.slot_of_link[i] >= cable_slots) == (i < 2 * std::size_t{nodes}));
        ++links[network.slot_of_link[i]];
      }
      for (std::size_t s = 0; s < links.size(); ++s)
        CHECK(links[s] ==
              (s < cable_slots ? outline.cables[s / 2].count : outline.cells[(s - cable_slots) / 2].adapters));
    }
  }

  TEST_CASE("However large a network is its outline stays small enough to draw") {
    for (const auto& [nodes, topology] : topologies()) {
      const NetworkOutline outline = outlined(nodes, topology).outline;
      CHECK(outline.places.size() <= 512);
      CHECK(outline.cells.size() <= 1024);
      CHECK(outline.cables.size() <= 3000);
      std::uint32_t switches = 0;
      for (const auto& place : outline.places) switches += place.switches;
      CHECK(switches == outline.switches);
    }
  }

  TEST_CASE("A node with several adapters on one switch has one cell that knows their number") {
    Platform platform = platform_of(4, StarTopology{});
    platform.networks[0].adapters.at = {{0, 0}};
    const auto network = outline_of(platform, platform.networks[0], *build_routes(platform, platform.networks[0]));
    const NetworkOutline& outline = network.outline;
    REQUIRE(outline.cells.size() == 4);
    for (std::uint32_t n = 0; n < 4; ++n) {
      CHECK(outline.cells[n].first == n);
      CHECK(outline.cells[n].count == 1);
      CHECK(outline.cells[n].adapters == 2);
      CHECK(network.slot_of_link[2 * n] == 2 * n);  // no cables: the outgoing NICs of cell n
      CHECK(network.slot_of_link[2 * n + 1] == 2 * n);
      CHECK(network.slot_of_link[8 + 2 * n] == 2 * n + 1);
    }
    CHECK(outline.rails == 0);
    CHECK(outline.words.starts_with("one switch, 4 nodes of 2 adapters; "));
    CHECK(outline.kinds[0].words.ends_with(", 2 adapters"));
  }

  TEST_CASE("Leaves of a rail-optimised tree are named by their rail and show its nodes") {
    Platform platform = platform_of(8, FatTreeTopology{{4, 4}, {1, 2}, {1, 1}});
    platform.networks[0].adapters.at = {{0, 0}};
    platform.networks[0].adapters.rail_leaves = true;
    const auto outline_now = [&] {
      return outline_of(platform, platform.networks[0], *build_routes(platform, platform.networks[0])).outline;
    };
    const NetworkOutline outline = outline_now();
    CHECK(outline.rails == 2);
    CHECK(outline.levels[0] == "leaf switches, by rail");
    CHECK(outline.places[0].label == "r0");
    CHECK(outline.places[3].label == "r1");
    CHECK(outline.places[3].words == "leaf switch 3, rail 1");
    REQUIRE(outline.cells.size() == 16);  // each node under both its leaves
    for (const auto& cell : outline.cells) CHECK(cell.adapters == 1);
    CHECK(outline.cells[4].place == 1);
    CHECK(outline.cells[4].first == 0);
    CHECK(outline.words.starts_with(
        "fat tree of 2 levels, taper 4:1, a leaf switch for each rail, 8 nodes of 2 adapters"));
    platform.networks[0].adapters.rail_leaves = false;
    CHECK(outline_now().rails == 0);
    CHECK(outline_now().places[3].label == "3");
  }

  TEST_CASE("Leaves that share a place are named by all its rails and a square is a node with its adapters on them") {
    Platform platform = platform_of(512, FatTreeTopology{{32, 128}, {1, 16}, {1, 1}});
    platform.networks[0].adapters = {.at = {std::vector<std::uint32_t>(8, 0)}, .rail_leaves = true};
    const NetworkOutline outline =
        outline_of(platform, platform.networks[0], *build_routes(platform, platform.networks[0])).outline;
    CHECK(outline.levels[0] == "leaf switches (4 each), by rail");
    CHECK(outline.places[0].label == "r0-3");
    CHECK(outline.places[1].words == "4 switches, leaf switch 4 to leaf switch 7, rails 4 to 7");
    REQUIRE(outline.cells.size() == 1024);
    CHECK(outline.cells[0].count == 1);
    CHECK(outline.cells[0].adapters == 4);
  }

  TEST_CASE("A taper is what a switch has towards the nodes over what it has away from them") {
    Platform platform = platform_of(8, StarTopology{});
    Network& network = platform.networks[0];  // adapters 10 GB/s, links 5 GB/s
    CHECK(taper_text({{4, 2}, {1, 8}, {1, 1}}, network).empty());
    CHECK(taper_text({{4, 2}, {1, 4}, {1, 1}}, network) == "2:1");
    CHECK(taper_text({{4, 2}, {1, 2}, {1, 4}}, network).empty());
    CHECK(taper_text({{4, 6, 2}, {1, 8, 2}, {1, 1, 1}}, network) == "1:1, 3:1 (leaves first)");
    network.link_bandwidth = BytesPerSecond{};  // as the adapters
    CHECK(taper_text({{4, 2}, {1, 4}, {1, 1}}, network).empty());
  }

  TEST_CASE("Leaf switches of a fat tree without nodes stay leaves in its outline") {
    const NetworkOutline outline = outlined(20, FatTreeTopology{{16, 4}, {1, 2}, {1, 1}}).outline;
    CHECK(outline.levels == std::vector<std::string>{"leaf switches", "spine switches"});
    CHECK(std::ranges::count(outline.places, 0u, &NetworkOutline::SwitchGroup::level) == 4);
    CHECK(outline.places[3].words == "leaf switch 3");
  }

  TEST_CASE("Many switches of a level share places with their neighbours and are named so") {
    const NetworkOutline outline = outlined(8192, FatTreeTopology{{32, 16, 16}, {1, 16, 16}, {1, 1, 1}}).outline;
    CHECK(outline.levels[0] == "leaf switches (8 each)");
    CHECK(outline.places[1].label == "8-15");
    CHECK(outline.places[1].words == "8 switches, leaf switch 8 to leaf switch 15");
  }

  TEST_CASE("The cables of an outline carry what the links between their places do together") {
    const NetworkOutline outline = outlined(4, chain()).outline;
    REQUIRE(outline.cables.size() == 2);
    CHECK(outline.form == NetworkForm::levels);
    CHECK(outline.cables[0].count == 2);
    CHECK(outline.cables[0].bandwidth.si() == near(10e9));
    CHECK(outline.cables[1].bandwidth.si() == near(4e9));
  }
}
