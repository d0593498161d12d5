#include "platforms/setups.hpp"

#include <doctest/doctest.h>

#include <string>

#include "platforms/keys.hpp"
#include "platforms/loader.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"

using namespace orrery;

namespace {

const Platform& heriot_watt() {
  static const Platform platform = load_platform(ORRERY_SOURCE_DIR "/platforms/heriot-watt.yaml");
  return platform;
}

Layout build(const std::string& row) {
  return build_layout(heriot_watt(), load_layout_row(config::parse_yaml(row, "l.yaml").root(layout_row_keys()), "R"));
}

/// Node of each rank.
std::string nodes_of(const Layout& layout) {
  std::string text;
  for (const auto& at : layout.placements) text += (text.empty() ? "" : " ") + heriot_watt().node_name(at.node);
  return text;
}

}  // namespace

TEST_SUITE("platforms/setups") {
  TEST_CASE("A setup fills the cores it names node by node in the order in which it names them") {
    const Layout five = build("setup: 1x8:beowulf 1x4:lxpara 1x2:linux01 2x1:linux-lab");
    CHECK(five.ranks() == 16);
    CHECK(nodes_of(build("{setup: 1x2:linux01 2x1:linux-lab 1x3:beowulf}")) ==
          "linux01-0 linux01-0 linux-lab-0 linux-lab-1 beowulf-0 beowulf-0 beowulf-0");
    CHECK(five.of(Rank{3}).socket_of_node == 0);
    CHECK(five.of(Rank{4}).socket_of_node == 1);
    CHECK(nodes_of(build("setup: 1x1:linux-lab 1x1:beowulf 1x1:linux-lab")) == "linux-lab-0 beowulf-0 linux-lab-1");
  }
  TEST_CASE("A shuffled setup gives each node a process before any gets its second") {
    CHECK(nodes_of(build("{setup: 1x3:beowulf 2x1:linux-lab, order: round-robin}")) ==
          "beowulf-0 linux-lab-0 linux-lab-1 beowulf-0 beowulf-0");
    CHECK(nodes_of(build("{setup: 4x4:beowulf, order: round-robin, ranks: 4}")) ==
          "beowulf-0 beowulf-1 beowulf-2 beowulf-3");
    CHECK(nodes_of(build("{setup: 4x4:beowulf, ranks: 4}")) == "beowulf-0 beowulf-0 beowulf-0 beowulf-0");
  }
  TEST_CASE("Fewer ranks than processes of a setup are its first and more are refused") {
    CHECK(nodes_of(build("{setup: 1x2:linux01 2x1:linux-lab, ranks: 3}")) == "linux01-0 linux01-0 linux-lab-0");
    CHECK_THROWS_WITH_AS(build("{setup: 1x2:linux01, ranks: 3}"),
                         "l.yaml:1:1: 3 ranks of a setup of 2 processes (at most all of them). Add nodes to 'setup'?",
                         InputError);
  }
  TEST_CASE("A setup that is none is refused with the word that is wrong") {
    const auto refuses = [](const std::string& setup, const std::string& message) {
      CHECK_THROWS_WITH_AS(build(setup), message.c_str(), InputError);
    };
    for (const char* word : {"2y8:beowulf", "x8", "2x", "0x8:beowulf", "2x0:beowulf", "2x8x4", "2x9999", "-1x2"})
      refuses(std::string("setup: 1x1:beowulf ") + word,
              std::string("l.yaml:1:8: setup '1x1:beowulf ") + word + "' has '" + word +
                  "' (nodes x cores of each, then the type of node: 2x4:mynode; up to 4194304 nodes of 4096 cores). "
                  "Write '2x4:mynode'?");
    refuses("setup: ''", "l.yaml:1:8: setup '' has no nodes (nodes x cores of each). Write '2x4:mynode'?");
    refuses("setup: 2x8",
            "l.yaml:1:8: '2x8' names no node type, and 'heriot-watt' has several (known: beowulf, lxpara, linux-lab, "
            "linux01). Write '2x8:beowulf'?");
    refuses("setup: 2x2:linux01", "l.yaml:1:8: row 'R' takes 2 nodes of 'linux01', but 1 of 1 are free. Take fewer?");
    refuses("setup: 1x3:linux01",
            "l.yaml:1:8: row 'R' puts processes of 1, 1, 1 cores and 0 GPU processes on a node of 'linux01' (1 sockets "
            "of 2 cores; a process stays in one socket, a GPU process holds a core). Use fewer cores?");
    refuses("{setup: 2x8, place: [{type: beowulf}]}",
            "l.yaml:1:9: row 'R' has both 'setup' and 'place' (only one is allowed). Remove one?");
  }
  TEST_CASE("The type may be left out where the platform has one") {
    const Platform one = load_platform(ORRERY_SOURCE_DIR "/platforms/ntnu-8x2x4.yaml");
    LayoutRow row{.name = "R", .where = "t"};
    row.place = parse_setup("2x3", "t");
    CHECK(build_layout(one, row).ranks() == 6);
  }
}
