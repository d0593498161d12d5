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
std::vector<std::size_t> nodes_of(const Platform& platform, const std::string& csv) {
  std::ofstream(file()) << csv;
  const auto document = config::parse_yaml(
      "rows: {A: {per-node: 1, node-list: " + file().string() + "}}\nname: t\nsource: s\n", "l.yaml");
  const LayoutTable table = load_layouts(document);
  std::filesystem::remove(file());
  std::vector<std::size_t> nodes;
  for (const Placement& placement : build_layout(platform, table.rows.at(0)).placements)
    nodes.push_back(index(placement.node));
  return nodes;
}

std::string refusal(const Platform& platform, const std::string& csv) {
  try {
    nodes_of(platform, csv);
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

  TEST_CASE("Names of hosts that differ in their last number are one expression") {
    CHECK(names_expression({"gros-1.nancy", "gros-2.nancy", "gros-3.nancy", "gros-12.nancy"}) == "gros-[1-3,12]");
    CHECK(names_expression({"n09", "n10", "n8", "n9", "n10"}) == "n[09-10,8-10]");
    CHECK(names_expression({"n5"}) == "n[5]");
    CHECK(names_expression({"n1", "m2"}).empty());
    CHECK(names_expression({"n1", "master"}).empty());
    CHECK(names_expression({"\"n1"}).empty());
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

  TEST_CASE("Nodes of a file that no platform has are refused with its line") {
    const std::string csv = file().string();
    CHECK(refusal(named(), "node\nr1b08\nr1b08\nr3b08\n") ==
          csv + ":4: no node of 'test <platform>' is called 'r3b08' (they are 'r[1-2]b[08-11]'). Another platform?");
    CHECK(refusal(test::platform_of(8, StarTopology{}), "node\nr3b08\n") ==
          csv +
              ":2: 'r3b08' is the name of a node, but nodes of 'test <platform>' have numbers alone (0..7). Add "
              "'names' to its node types?");
    CHECK(refusal(named(), "host\n1\n") ==
          csv + ": no column 'node', 'xname' or 'allocation' (there are host). Add it?");
    CHECK(refusal(named(), "node\n1\n1\n8\n") ==
          csv + ":4: 'node-list' has node 8, but 'test <platform>' has nodes 0..7. Leave it out?");
  }
}
