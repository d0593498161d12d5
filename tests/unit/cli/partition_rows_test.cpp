#include "sim/cli/pages/partition_rows.hpp"

#include <doctest/doctest.h>

#include "sim/show/tables/csv.hpp"
#include "sim/show/tables/text_table.hpp"

using namespace orrery;

namespace {

/// Two ranks: two cores of node a at 10 Gflop/s in all, and a GPU of node b at 22; split 4 x 4 as 1 : 3.
study::PartitionAnswer two_ranks() {
  study::PartitionAnswer answer{.title = "test", .kernel = "summa", .platform = "ab", .layout = {"two", {}}};
  answer.layout.placements.push_back({.node = NodeId{0}, .cores = 2, .socket_of_node = 1});
  answer.layout.placements.push_back({.node = NodeId{1}, .cores = 1, .gpu = true});
  answer.partition = {4, 4, {{0, 0, 4, 1}, {0, 1, 4, 3}}};
  answer.speeds = {10e9, 22e9};
  answer.node_names = {"a", "b"};
  answer.notes = {"found on the way"};
  return answer;
}

}  // namespace

TEST_SUITE("app/partition rows") {
  TEST_CASE("A partition sets the share of blocks beside the share of speed") {
    const ScenarioResult result = cli::partition_rows(two_ranks());
    CHECK(show::to_text_table(result, {.width = 120, .color = false}) == R"(test

                                                                   share  ideal  ratio
rank  node  host      cores  Gflop/s  x  y  width  height  blocks      %      %      %
──────────────────────────────────────────────────────────────────────────────────────
0     a     socket 1      2    10.00  0  0      4       1       4  25.00  31.25  80.00
1     b     GPU 0         1    22.00  0  1      4       3      12  75.00  68.75  109.1

note: 4 x 4 blocks; half-perimeters add up to 12 (at least 11 for any rectangles of these areas)
note: the slowest rank takes 9.09 % longer than a perfect split by these speeds
note: found on the way
)");
    CHECK(show::to_csv(result).find("\r\n,1,b,GPU 0,summa,ab,,two,") != std::string::npos);
  }

  TEST_CASE("A rank of speed 0 has no ratio") {
    auto answer = two_ranks();
    answer.partition = {2, 2, {{0, 0, 2, 2}, {0, 0, 0, 0}}};
    answer.speeds = {1.0, 0.0};
    const ScenarioResult result = cli::partition_rows(answer);
    CHECK(result.points[0].metrics.back().name == "ratio");
    CHECK(result.points[0].metrics.back().value == 100.0);
    CHECK(result.points[1].metrics.back().name == "ideal");
    CHECK(result.notes[1] == "the slowest rank takes 0.00 % longer than a perfect split by these speeds");
  }
}
