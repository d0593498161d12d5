#include "sim/cli/pages/partition_table.hpp"

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

using namespace orrery;

namespace {

/// Two ranks: two cores of node a at 10 Gflop/s in all, and a GPU of node b at 30; split 4 x 4 as 1 : 3.
cli::PartitionTable two_ranks() {
  Layout layout{"two", {}};
  layout.placements.push_back({.node = NodeId{0}, .cores = 2, .socket_of_node = 1});
  layout.placements.push_back({.node = NodeId{1}, .cores = 1, .gpu = true});
  const Partition partition{4, 4, {{0, 0, 4, 1}, {0, 1, 4, 3}}};
  return cli::partition_table("test", partition, layout, std::vector<double>{10e9, 22e9}, {"a", "b"});
}

}  // namespace

TEST_SUITE("app/partition table") {
  TEST_CASE("A partition table sets the share of blocks beside the share of speed") {
    CHECK(cli::partition_text(two_ranks(), 120, false) ==
          "test\n\n"
          "rank  node  host      cores       speed  x  y  width  height  blocks    share    ideal  ratio\n"
          "─────────────────────────────────────────────────────────────────────────────────────────────\n"
          "   0  a     socket 1      2  10 Gflop/s  0  0      4       1       4  25.00 %  31.25 %  0.800\n"
          "   1  b     GPU 0         1  22 Gflop/s  0  1      4       3      12  75.00 %  68.75 %  1.091\n"
          "\n4 x 4 blocks. Half-perimeters add up to 12 (at least 11 for any rectangles of these areas).\n"
          "The slowest rank takes 9.09 % longer than a perfect split by these speeds.\n");
  }

  TEST_CASE("A partition as JSON carries units in its keys") {
    const auto json = nlohmann::json::parse(cli::partition_json(two_ranks()));
    CHECK(json["columns_blocks"] == 4);
    CHECK(json["half_perimeters_blocks"] == 12);
    CHECK(json["ranks"][1]["speed_flop_per_s"] == 22e9);
    CHECK(json["ranks"][1]["host"] == "GPU 0");
    CHECK(json["ranks"][0]["share"] == 0.25);
  }

  TEST_CASE("A rank of speed 0 has no ratio") {
    Layout layout{"two", {{}, {}}};
    const Partition partition{2, 2, {{0, 0, 2, 2}, {0, 0, 0, 0}}};
    const auto table = cli::partition_table("t", partition, layout, std::vector<double>{1.0, 0.0}, {"a"});
    CHECK(table.imbalance == 0.0);
    CHECK(cli::partition_text(table, 120, false).find("   0.00 %    0.00 %      -\n") != std::string::npos);
  }
}
