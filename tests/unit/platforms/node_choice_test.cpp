#include "platforms/node_choice.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "platforms/layouts.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "tests/support/plain_platform.hpp"

using namespace orrery;

namespace {

Platform cells_of_four() {
  Platform platform = test::platform_of(16, DragonflyTopology{4, 2, 2, 2});
  platform.node_types[0].cores_per_socket = 2;
  return platform;
}

std::vector<std::size_t> nodes_of(const Platform& platform, const std::string& row) {
  const auto section = config::parse_yaml("rows: {A: " + row + "}\nname: t\nsource: s\n", "l.yaml");
  const LayoutTable table = load_layouts(section);
  std::vector<std::size_t> nodes;
  for (const Placement& placement : build_layout(platform, table.rows.at(0)).placements)
    nodes.push_back(index(placement.node));
  return nodes;
}

}  // namespace

TEST_SUITE("platforms/node choice") {
  TEST_CASE("Nodes of a job are the first or of each cell in turn or drawn and keep that order") {
    const Platform platform = cells_of_four();
    using Nodes = std::vector<std::size_t>;
    CHECK(nodes_of(platform, "{ranks: 4, per-node: 1}") == Nodes{0, 1, 2, 3});
    CHECK(nodes_of(platform, "{ranks: 4, per-node: 1, placement: by-cell}") == Nodes{0, 4, 8, 12});
    CHECK(nodes_of(platform, "{ranks: 6, per-node: 1, placement: by-cell}") == Nodes{0, 4, 8, 12, 1, 5});
    const Nodes drawn = nodes_of(platform, "{ranks: 4, per-node: 1, placement: random}");
    CHECK_FALSE(std::ranges::is_sorted(drawn));
    CHECK(drawn.size() == 4);
    CHECK(drawn == nodes_of(platform, "{ranks: 4, per-node: 1, placement: random, seed: 1}"));
    CHECK(drawn != nodes_of(platform, "{ranks: 4, per-node: 1, placement: random, seed: 2}"));
    Nodes all = nodes_of(platform, "{per-node: 1, placement: random}");  // of a job on all nodes, too
    CHECK_FALSE(std::ranges::is_sorted(all));
    std::ranges::sort(all);
    CHECK(all == nodes_of(platform, "{per-node: 1}"));
  }

  TEST_CASE("Ranks are spread over nodes of one type where that is asked") {
    Platform platform = cells_of_four();
    platform.node_types.push_back(platform.node_types[0]);
    platform.node_types[1].name = "other";
    platform.node_counts = {10, 6};
    using Nodes = std::vector<std::size_t>;
    CHECK(nodes_of(platform, "{ranks: 3, per-node: 1, type: other}") == Nodes{10, 11, 12});
    CHECK(nodes_of(platform, "{ranks: 3, per-node: 1, type: other, placement: by-cell}") == Nodes{12, 13, 10});
    CHECK_THROWS_WITH_AS(nodes_of(platform, "{ranks: 3, type: ohter}"),
                         "l.yaml:1:11: platform 'test <platform>' has no node type 'ohter' (known: node, other). Did "
                         "you mean 'other'?",
                         InputError);
    CHECK_THROWS_WITH_AS(nodes_of(platform, "{per-node: 1, type: other, node-list: [1]}"),
                         "l.yaml:1:31: 'type' and 'node-list' both choose the nodes. Remove one?", InputError);
    CHECK_THROWS_WITH_AS(nodes_of(platform, "{ranks: 7, per-node: 1, type: other}"),
                         "l.yaml:1:11: 7 ranks, 1 to a node, are more than the 6 nodes of 'test <platform>' hold (6 ranks). "
                         "Put more on a node with 'per-node'?",
                         InputError);
  }

  TEST_CASE("Listed nodes are filled in the order of the list") {
    const Platform platform = cells_of_four();
    CHECK(nodes_of(platform, "{per-node: 1, node-list: [9, 2-4]}") == std::vector<std::size_t>{9, 2, 3, 4});
    CHECK(nodes_of(platform, "{ranks: 3, per-node: 2, node-list: [9, 2-4]}") == std::vector<std::size_t>{9, 9, 2});
  }

  TEST_CASE("A list that names nodes twice or beyond the platform is refused") {
    const Platform platform = cells_of_four();
    CHECK_THROWS_WITH_AS(
        nodes_of(platform, "{per-node: 1, node-list: [2-4, 3]}"),
        "l.yaml:1:42: 'node-list' has node 3 twice (once each; 'per-node' says how many ranks it runs). "
        "Remove one?",
        InputError);
    CHECK_THROWS_WITH_AS(nodes_of(platform, "{per-node: 1, node-list: [14-16]}"),
                         "l.yaml:1:37: 'node-list' has node 16, but 'test <platform>' has nodes 0..15. Leave it out?",
                         InputError);
    CHECK_THROWS_WITH_AS(nodes_of(platform, "{per-node: 2, ranks: 6, node-list: [4-5]}"),
                         "l.yaml:1:47: 6 ranks, 2 to a node, are more than the 2 nodes of 'node-list' hold (4 ranks). List "
                         "more?",
                         InputError);
    CHECK_THROWS_WITH_AS(
        nodes_of(platform, "{per-node: 1, node-list: none.csv}"),
        "l.yaml:1:36: 'node-list' names a file 'none.csv' that does not exist (sought here and beside the "
        "file that names it). Correct the name, or write '[0-7]'?",
        InputError);
    CHECK_THROWS_WITH_AS(nodes_of(platform, "{per-node: 1, node-list: 5}"),
                         "l.yaml:1:36: 'node-list' names a file '5' that does not exist (sought here and beside the "
                         "file that names it). Correct the name, or write '[5]'?",
                         InputError);
    CHECK_THROWS_WITH_AS(nodes_of(platform, "{per-node: 1, node-list: [4-2]}"),
                         "l.yaml:1:37: 'node-list[1]' is '4-2' (the number of a node, or a range). Write '0-7'?",
                         InputError);
  }
}
