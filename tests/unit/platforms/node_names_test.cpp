#include "platforms/node_names.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>

#include "platforms/layouts.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "tests/support/plain_platform.hpp"

using namespace orrery;

namespace {

Platform named() {
  Platform platform = test::platform_of(8, StarTopology{});
  platform.node_types[0].cores_per_socket = 4;
  platform.node_types[0].names = "r[1-2]b[08-11]";
  return platform;
}

std::filesystem::path file() {
  return std::filesystem::temp_directory_path() / ("orrery-names-" + std::to_string(::getpid()) + ".csv");
}

/// Nodes of the ranks of a layout whose node list is a file of this text.
Layout layout_of(const Platform& platform, const std::string& csv, const std::string& stated) {
  std::ofstream(file()) << csv;
  const auto document = config::parse_yaml(
      "rows: {A: {" + stated + "node-list: " + file().string() + "}}\nname: t\nsource: s\n", "l.yaml");
  const LayoutTable table = load_layouts(document);
  std::filesystem::remove(file());
  return build_layout(platform, table.rows.at(0));
}

std::vector<std::size_t> nodes_of(const Platform& platform, const std::string& csv,
                                  const std::string& stated = "per-node: 1, ") {
  std::vector<std::size_t> nodes;
  for (const Placement& placement : layout_of(platform, csv, stated).placements) nodes.push_back(index(placement.node));
  return nodes;
}

std::string refusal(const Platform& platform, const std::string& csv, const std::string& stated = "per-node: 1, ") {
  try {
    nodes_of(platform, csv, stated);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("platforms/node names") {
  TEST_CASE("Brackets of names count the last one fastest and keep leading zeros") {
    using Names = std::vector<std::string>;
    CHECK(expanded_names(std::string("r[1-2]b[09-10]")) == Names{"r1b09", "r1b10", "r2b09", "r2b10"});
    CHECK(expanded_names(std::string("x[3,5-6]n0")) == Names{"x3n0", "x5n0", "x6n0"});
    CHECK(expanded_names(std::string("alone")) == Names{"alone"});
    CHECK(expanded_names(std::string("r[1-").append("2")).empty());
  }

  TEST_CASE("An expression of any hosts gives back their names as they are") {
    using Names = std::vector<std::string>;
    const std::vector<std::pair<Names, std::string>> all{
        {{"gros-1.nancy", "gros-2.nancy", "gros-3.nancy", "gros-12.nancy"}, "gros-[1-3,12].nancy"},
        {{"n09", "n10", "n8", "n9", "n10"}, "n[09-10,8-10]"},
        {{"n5"}, "n5"},
        {{"n1", "m2"}, "n1,m2"},
        {{"Mercury", "Venus", "n1", "n2", "master"}, "Mercury,Venus,n[1-2],master"},
        {{"a-1.site2.fr", "a-2.site2.fr", "a-2.site3.fr"}, "a-[1-2].site2.fr,a-2.site3.fr"},
        {{"host.10.0", "host.10.1"}, "host.10.0,host.10.1"},
        {{"r1n1x", "r1n2x", "r2n1x"}, "r1n[1-2]x,r2n1x"},
        {{"n99999999999", "n99999999998"}, "n99999999999,n99999999998"},
        {{"1", "2", "3"}, "[1-3]"}};
    for (const auto& [hosts, expression] : all) {
      CHECK(names_expression(hosts) == expression);
      CHECK(expanded_names(expression) == hosts);
    }
    for (const char* bad : {"", "a b", "a,b", "a[1]", "a\"b", "a\\b", "a\tb"})
      CHECK(names_expression({"n1", bad}).empty());
  }

  TEST_CASE("Nodes are found by their names as written and without their domains") {
    using Nodes = std::vector<std::size_t>;
    Platform platform = test::platform_of(5, StarTopology{});
    platform.node_types[0].cores_per_socket = 4;
    platform.node_types[0].names = "Mercury,Venus,g-[1-2].nancy.fr,g-1.lyon.fr";
    CHECK(nodes_of(platform, "node\nVenus\nMercury\n") == Nodes{1, 0});
    CHECK(nodes_of(platform, "node\ng-1.lyon.fr\ng-1.nancy.fr\ng-2\n") == Nodes{4, 2, 3});
    CHECK(nodes_of(platform, "node\nVenus.space\n") == Nodes{1});
    CHECK(refusal(platform, "node\ng-1\n") ==
          file().string() + ":2: several nodes are called 'g-1' (they differ after the dot). Write the whole name?");
    CHECK(
        refusal(platform, "node\nVenus.space\nVenus.sky\n") ==
        file().string() +
            ":3: 'Venus.space' and 'Venus.sky' are two hosts, and the platform has one 'Venus' for both (a name counts "
            "whole, or without its domain). Write the names that the platform has?");
    CHECK(refusal(platform, "node\ng-1.paris.fr\n") ==
          file().string() +
              ":2: no node of 'test <platform>' is called 'g-1.paris.fr' (they are "
              "'Mercury,Venus,g-[1-2].nancy.fr,g-1.lyon.fr'). Another platform?");
  }

  TEST_CASE("Ranks go to the nodes that a batch system wrote down") {
    const Platform platform = named();
    using Nodes = std::vector<std::size_t>;
    CHECK(nodes_of(platform, "MPI_Rank,allocation\n0,r2b08.site.org\n1,r1b09\n") == Nodes{4, 1});
    CHECK(nodes_of(platform, "MPI_Rank,allocation,xname\n0,n17,r1b08\n1,n17,r1b08\n2,n18,r1b10\n") == Nodes{0, 2});
    CHECK(nodes_of(platform, "node\n5\n3\n") == Nodes{5, 3});
    CHECK(nodes_of(platform, "node\nr2b11\nr2b10\n") == Nodes{7, 6});
  }

  TEST_CASE("Ranks go to the nodes of a host file by name or by number as we export it") {
    using Nodes = std::vector<std::size_t>;
    CHECK(nodes_of(test::platform_of(8, StarTopology{}), "node-5\nnode-5\nnode-3\n") == Nodes{5, 3});
    CHECK(nodes_of(named(), "node-7\nr1b09\n") == Nodes{7, 1});
  }

  TEST_CASE("A host file puts each rank on the node of its line where the layout does not say otherwise") {
    using Nodes = std::vector<std::size_t>;
    CHECK(nodes_of(named(), "node-1\nnode-1\nr1b08\n", "") == Nodes{1, 1, 0});
    CHECK(nodes_of(named(), "node-2\nnode-0\nnode-2\nnode-0\n", "") == Nodes{2, 0, 2, 0});
    CHECK(nodes_of(named(), "# of a job\n\nnode-1 slots=2  # two\nnode-0\r\n", "") == Nodes{1, 1, 0});
    CHECK(nodes_of(named(), "3\n3\n1\n", "") == Nodes{3, 3, 1});
    CHECK(nodes_of(named(), "node-1\nnode-1\nnode-0\n", "per-node: 2, ") == Nodes{1, 1, 0, 0});
    CHECK(nodes_of(named(), "node-1 slots=4\nnode-0\n", "ranks: 5, ") == Nodes{1, 1, 1, 1, 0});
    CHECK(nodes_of(named(), "3\n1\n2\n", "ranks: 2, ") == Nodes{3, 1});
    CHECK(nodes_of(named(), "node\n3\n1\n", "ranks: 4, ") == Nodes{3, 3, 1, 1});  // a CSV has nodes, not ranks
    CHECK(nodes_of(named(), "3\n3\n1\n", "per-node: 2, order: round-robin, ") == Nodes{3, 1, 3, 1});
  }

  TEST_CASE("Ranks of a node in a host file take its cores in their order or its sockets in turn") {
    Platform platform = named();
    platform.node_types[0].sockets = 2;
    platform.node_types[0].cores_per_socket = 2;
    const auto sockets = [&](const std::string& stated) {
      std::vector<std::uint32_t> numbers;
      for (const Placement& place : layout_of(platform, "2\n0\n2\n2\n", stated).placements)
        numbers.push_back(place.socket_of_node);
      return numbers;
    };
    CHECK(sockets("") == std::vector<std::uint32_t>{0, 0, 0, 1});
    CHECK(sockets("sockets: alternate, ") == std::vector<std::uint32_t>{0, 0, 1, 0});
    CHECK(refusal(platform, "2\n2\n2\n", "cores: 2, ") ==
          file().string() +
              ":3: rank 2 is one too many for node 2 (2 sockets of 2 cores; a rank takes 2). Put it "
              "elsewhere, or state 'per-node: 3' so that ranks share cores?");
  }

  TEST_CASE("Numbers of nodes in a CSV are whole or refused with their line") {
    const std::string csv = file().string();
    CHECK(refusal(named(), "node\n5\n9.9\n") == csv + ":3: 'node' is '9.9' (a whole number). Write '10'?");
    CHECK(refusal(named(), "node\n5\n1e-320\n") == csv + ":3: 'node' is '1e-320' (a whole number). Write '0'?");
    CHECK(refusal(named(), "node,rack\n5,a\n,b\n") ==
          csv + ":3: no 'node' (the number of a node). Write it, or remove the row?");
  }

  TEST_CASE("What a host file cannot mean is refused with its line") {
    const std::string hosts = file().string();
    const std::string rule =
        " (a node stands alone, or with 'slots=N' for N ranks there and 'max_slots=N'). Write 'slots=1', or remove it?";
    CHECK(refusal(named(), "node-1 slots=0\n") == hosts + ":1: 'slots=0' follows 'node-1'" + rule);
    CHECK(refusal(named(), "node-1 cores=4\n") == hosts + ":1: 'cores=4' follows 'node-1'" + rule);
    CHECK(refusal(named(), "node-1\n5\n", "") ==
          hosts +
              ":2: '5' is a number, but the lines above have names (all of a file are of one kind). Write "
              "'node-5'?");
    CHECK(refusal(named(), "5\nnode-1\n", "") ==
          hosts +
              ":2: 'node-1' is a name, but the lines above have numbers (all of a file are of one kind). Write "
              "'node-' before the numbers?");
    CHECK(refusal(named(), "1\n9\n", "") ==
          hosts + ":2: 'node-list' has node 9, but 'test <platform>' has nodes 0..7. Leave it out?");
    CHECK(refusal(named(), "1 slots=16777216\n2\n", "") ==
          hosts + ":2: more than 16777216 ranks (the limit). Take fewer slots?");
    CHECK(refusal(named(), "4194304\n", "") ==
          hosts + ":1: '4194304' is too large for the number of a node. Correct it?");
  }

  TEST_CASE("A host file has a node for each rank that is known without it") {
    std::ofstream(file()) << "node-2\nnode-0\nnode-2\n";
    const auto document =
        config::parse_yaml("rows: {A: {node-list: " + file().string() + "}}\nname: t\nsource: s\n", "l.yaml");
    LayoutRow row = load_layouts(document).rows.at(0);
    std::filesystem::remove(file());
    CHECK(row.spread->name() == "3 ranks");
    row.spread->ranks = 2;  // of a trace
    CHECK(build_layout(named(), row).ranks() == 2);
    row.spread->ranks = 4;
    CHECK_THROWS_WITH_AS(build_layout(named(), row),
                         (file().string() + ":1: 4 ranks, but the host file has a node for 3 (a line for each, or "
                                            "'slots=N'). Add lines, or state 'per-node'?")
                             .c_str(),
                         InputError);
  }

  TEST_CASE("Nodes of a file that no platform has are refused with its line") {
    const std::string csv = file().string();
    CHECK(refusal(named(), "node\nr1b08\nr1b08\nr3b08\n") ==
          csv + ":4: no node of 'test <platform>' is called 'r3b08' (they are 'r[1-2]b[08-11]'). Another platform?");
    CHECK(refusal(test::platform_of(8, StarTopology{}), "node\nr3b08\n") ==
          csv +
              ":2: no node of 'test <platform>' is called 'r3b08' (node-0 to node-7; its node types state no other "
              "'names'). Another platform, or add them?");
    CHECK(refusal(named(), "host\n1\n") ==
          csv + ":2: '1' is a number, but the lines above have names (all of a file are of one kind). Write 'node-1'?");
    CHECK(refusal(named(), "node\n1\n1\n8\n") ==
          csv + ":4: 'node-list' has node 8, but 'test <platform>' has nodes 0..7. Leave it out?");
  }
}
