#include "platforms/configuration.hpp"

#include <doctest/doctest.h>

#include "platforms/layouts.hpp"
#include "sim/core/error.hpp"

using namespace orrery;

namespace {

/// Four nodes of one core, two of two sockets of two cores.
Platform cluster() {
  Platform platform{.name = "pair", .file = {}, .source = {}, .node_types = {{.name = "p4"}, {.name = "big"}}};
  platform.node_types[1].sockets = 2;
  platform.node_types[1].cores_per_socket = 2;
  platform.node_counts = {4, 2};
  return platform;
}

std::string refusal(const std::string& text) {
  try {
    parse_configuration(text, cluster(), "layout");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_SUITE("platforms/configuration") {
  TEST_CASE("A configuration puts its ranks on each core of its first nodes type by type") {
    const Platform platform = cluster();
    const auto configuration = parse_configuration("3, 2, 1, 1", platform, "test");
    CHECK(configuration.text() == "3,2,1,1");
    CHECK(configuration.ranks(platform) == 3 * 2 + 4);
    CHECK(configuration.nodes() == 4);
    const Layout layout = layout_of(configuration, platform);
    REQUIRE(layout.ranks() == 10);
    CHECK(layout.name == "(3,2,1,1)");
    CHECK(index(layout.placements[1].node) == 0);
    CHECK(index(layout.placements[5].node) == 2);
    CHECK(index(layout.placements[6].node) == 4);
    CHECK(layout.placements[6].socket_of_node == 0);
    CHECK(layout.placements[8].socket_of_node == 1);
    CHECK(layout.placements[8].host == host_of(platform, NodeId{4}, false, 1));
  }
  TEST_CASE("The layout of a configuration amounts to that configuration") {
    const Platform platform = cluster();
    for (const char* text : {"4,2,2,1", "0,0,2,3", "1,1,0,0"}) {
      const auto configuration = parse_configuration(text, platform, "test");
      CHECK(configuration_of(layout_of(configuration, platform), platform) == configuration);
    }
  }
  TEST_CASE("A layout whose nodes of one type differ is no configuration") {
    const Platform platform = cluster();
    Layout layout = layout_of(parse_configuration("2,2,0,0", platform, "test"), platform);
    layout.placements.pop_back();
    CHECK_FALSE(configuration_of(layout, platform));
  }
  TEST_CASE("A configuration that the platform does not have is refused") {
    CHECK(
        refusal("1,1") ==
        "layout: '1,1' is no configuration of platform 'pair' (nodes and ranks to a core of each of its 2 node types, "
        "4 whole numbers between commas). Write '1,1,0,0'?");
    CHECK(refusal("5,1,0,0") ==
          "layout: configuration '5,1,0,0' takes 5 nodes of 'p4', platform 'pair' has 4. Take fewer?");
    CHECK(
        refusal("2,0,1,1") ==
        "layout: configuration '2,0,1,1' puts 0 ranks on each core of 2 nodes of 'p4' (1 to 1024, and 0 of no nodes). "
        "Correct it?");
    CHECK(refusal("0,0,0,0") == "layout: configuration '0,0,0,0' has no node (one at least). Write '1,1' first?");
    CHECK(refusal("-1,1,0,0").starts_with("layout: '-1,1,0,0' is no configuration"));
  }
}
