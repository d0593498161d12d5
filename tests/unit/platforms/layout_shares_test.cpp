#include "platforms/layout_shares.hpp"

#include <doctest/doctest.h>

#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "tests/support/plain_platform.hpp"

using namespace orrery;

namespace {

/// Nodes 0 to 3 have two sockets of 2 cores, 4 and 5 one of 2.
Platform four_and_two_cores() {
  Platform platform = test::platform_of(6, StarTopology{});
  platform.name = "two";
  platform.node_types[0].sockets = 2;
  platform.node_types[0].cores_per_socket = 2;
  platform.node_types.push_back(platform.node_types[0]);
  platform.node_types[1].name = "small";
  platform.node_types[1].sockets = 1;
  platform.node_counts = {4, 2};
  return platform;
}

using NodesOfRanks = std::vector<std::size_t>;

NodesOfRanks nodes_of_spread(const LayoutRow::Spread& spread, const std::string& where = "--ranks") {
  NodesOfRanks nodes;
  for (const Placement& placement : spread_layout(four_and_two_cores(), spread, where).placements)
    nodes.push_back(index(placement.node));
  return nodes;
}

NodesOfRanks nodes_of_row(const std::string& row) {
  const LayoutTable table = load_layouts(config::parse_yaml("rows: {A: " + row + "}\nname: t\nsource: s\n", "l.yaml"));
  NodesOfRanks nodes;
  for (const Placement& placement : build_layout(four_and_two_cores(), table.rows.at(0)).placements)
    nodes.push_back(index(placement.node));
  return nodes;
}

template <typename Build>
std::string refusal_of(const Build& build) {
  try {
    build();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

std::string refused_row(const std::string& row) {
  return refusal_of([&] { nodes_of_row(row); });
}

/// `ranks` on the first `nodes` nodes.
LayoutRow::Spread on_first(std::uint32_t ranks, std::uint32_t nodes, std::uint32_t per_node = 0) {
  LayoutRow::Spread spread{.ranks = ranks, .per_node = per_node};
  spread.nodes.most = nodes;
  return spread;
}

std::string refused_nodes(std::uint32_t ranks, std::uint32_t nodes, std::uint32_t per_node = 0) {
  return refusal_of([&] { nodes_of_spread(on_first(ranks, nodes, per_node)); });
}

}  // namespace

TEST_SUITE("platforms/layout shares") {
  TEST_CASE("Ranks come to nodes that are listed as many on each and in their order") {
    CHECK(nodes_of_row("{ranks: 4, node-list: [3, 0, 2, 1]}") == NodesOfRanks{3, 0, 2, 1});
    CHECK(nodes_of_row("{ranks: 4, node-list: [3, 5]}") == NodesOfRanks{3, 3, 5, 5});
    CHECK(nodes_of_row("{ranks: 4, node-list: [3, 5], order: round-robin}") == NodesOfRanks{3, 5, 3, 5});
    CHECK(nodes_of_row("{ranks: 6, node-list: [3, 5]}") == NodesOfRanks{3, 3, 3, 3, 5, 5});  // both full
    CHECK(nodes_of_row("{ranks: 3, per-node: 2, node-list: [3, 0]}") == NodesOfRanks{3, 3, 0});
    CHECK(nodes_of_row("{ranks: 2, cores: 2, node-list: [4, 5]}") == NodesOfRanks{4, 5});
  }

  TEST_CASE("Ranks that do not come evenly to the nodes of a list are refused") {
    CHECK(refused_row("{ranks: 5, node-list: [0-2]}") ==
          "l.yaml:1:34: 5 ranks do not come to as many on each of the 3 nodes of 'node-list' (3 or 6 ranks do). State "
          "'per-node: 2', to fill one after the other?");
    CHECK(refused_row("{ranks: 2, node-list: [0-2]}") ==
          "l.yaml:1:34: 2 ranks do not come to as many on each of the 3 nodes of 'node-list' (3 ranks do). State "
          "'per-node: 1', to fill one after the other?");
    // Two ranks of two cores on each of nodes 0 and 1, one on node 4.
    CHECK(refused_row("{ranks: 6, cores: 2, node-list: [0-1, 4]}") ==
          "l.yaml:1:44: 6 ranks, as many as fit to a node, are more than the 3 nodes of 'node-list' hold (5 ranks). List "
          "more?");
    CHECK(refused_row("{ranks: 9, node-list: [0-1, 4]}") ==
          "l.yaml:1:34: 9 ranks are 3 on each of the 3 nodes of 'node-list', but node 4 has cores for 2. State "
          "'per-node: 3', so that ranks share cores?");
  }

  TEST_CASE("So many nodes as are asked for are all used") {
    CHECK(nodes_of_spread(on_first(4, 4)) == NodesOfRanks{0, 1, 2, 3});
    CHECK(nodes_of_spread(on_first(6, 3)) == NodesOfRanks{0, 0, 1, 1, 2, 2});
    CHECK(nodes_of_spread(on_first(5, 3, 2)) == NodesOfRanks{0, 0, 1, 1, 2});
    CHECK(nodes_of_spread(on_first(0, 2, 1)) == NodesOfRanks{0, 1});
    CHECK(refused_nodes(10, 4) ==
          "--nodes: 10 ranks do not come to as many on each of 4 nodes (8 or 12 ranks do, or 2 or 5 nodes). Write "
          "'--ranks 12'?");
    CHECK(refused_nodes(4, 3) ==
          "--nodes: 4 ranks do not come to as many on each of 3 nodes (3 or 6 ranks do, or 2 or 4 nodes). Write "
          "'--ranks 6'?");
    CHECK(refused_nodes(4, 6) ==
          "--nodes: 4 ranks do not come to as many on each of 6 nodes (6 ranks do, or 4 nodes). Write '--ranks 6'?");
    CHECK(refused_nodes(4, 6, 1) ==
          "--nodes: 4 ranks, 1 to a node, fill 4 of 6 nodes (6 nodes take 6 ranks). Write '--nodes 4'?");
    CHECK(refused_nodes(4, 3, 2) ==
          "--nodes: 4 ranks, 2 to a node, fill 2 of 3 nodes (3 nodes take 5 to 6 ranks). Write '--nodes 2'?");
    CHECK(refused_nodes(7, 3, 2) ==
          "--ranks: 7 ranks, 2 to a node, are more than the 3 nodes of 'two' hold (6 ranks). Put more on a node with "
          "'per-node'?");
  }

  TEST_CASE("A job that no node has cores for is told how many there are") {
    LayoutRow::Spread spread{.ranks = 21};
    CHECK(refusal_of([&] { nodes_of_spread(spread, "s.yaml:4:9"); }) ==
          "s.yaml:4:9: 21 ranks, as many as fit to a node, are more than the 6 nodes of 'two' hold (20 ranks). Take at most "
          "20?");
    spread.per_node = 2;
    CHECK(refusal_of([&] { nodes_of_spread(spread, "s.yaml:4:9"); }) ==
          "s.yaml:4:9: 21 ranks, 2 to a node, are more than the 6 nodes of 'two' hold (12 ranks). Take at most 12?");
    spread.per_node = 3;  // on all nodes, of which two have two cores, so that ranks share them
    spread.ranks = 20;
    CHECK(refusal_of([&] { nodes_of_spread(spread, "s.yaml:4:9"); }) ==
          "s.yaml:4:9: 20 ranks, 3 to a node, are more than the 6 nodes of 'two' hold (18 ranks). Put more on a node with "
          "'per-node'?");
  }

  TEST_CASE("A refusal of flags names the flag that said it and that of a file the line") {
    LayoutRow::Spread spread{.ranks = 2, .cores = 3};
    CHECK(refusal_of([&] { nodes_of_spread(spread); }) ==
          "--cores: a rank takes 3 cores, but a socket of 'node' has 2 (1..2). Use fewer?");
    CHECK(refusal_of([&] { nodes_of_spread(spread, "s.yaml:4:9"); }) ==
          "s.yaml:4:9: a rank takes 3 cores, but a socket of 'node' has 2 (1..2). Use fewer?");
    spread = {.ranks = 2};
    spread.nodes.type = "smal";
    CHECK(refusal_of([&] { nodes_of_spread(spread); }) ==
          "--type: platform 'two' has no node type 'smal' (known: node, small). Did you mean 'small'?");
    CHECK(refused_nodes(7, 7) == "--nodes: 7 nodes are asked for, but there are 6. Take fewer?");
  }
}
