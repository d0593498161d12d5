#include <doctest/doctest.h>

#include <map>

#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/traffic.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

const Words words{
    {"nodes-x", "12"}, {"nodes-y", "9"}, {"nodes-z", "15"}, {"process-grid", "3x3x3"}, {"iterations", "1"}};

/// Bytes of non-blocking messages between two ranks (the reductions use their own tag).
std::map<std::size_t, double> halo_of(const Program& program, std::uint32_t rank) {
  std::map<std::size_t, double> sent;
  for (const auto& message : match_messages(record(program)).messages)
    if (message.from == Rank{rank} && message.tag == Tag{1}) sent[index(message.to)] += message.size.si();
  return sent;
}

}  // namespace

TEST_SUITE("kernels/fem-cg") {
  TEST_CASE("An inner rank exchanges faces edges and corners with 26 neighbours at 24 bytes a node") {
    const auto sent = halo_of(*make_kernel("fem-cg", words, 27), 13);  // 4 x 3 x 5 nodes
    CHECK(sent.size() == 26);
    CHECK(sent.at(14) == 24 * 4 * 3);
    CHECK(sent.at(16) == 24 * 4 * 5);
    CHECK(sent.at(22) == 24 * 3 * 5);
    CHECK(sent.at(17) == 24 * 4);
    CHECK(sent.at(26) == 24);
    CHECK(halo_of(*make_kernel("fem-cg", words, 27), 0).size() == 7);
  }

  TEST_CASE("An iteration costs 1008 flops a node with three reductions") {
    for (const std::uint32_t ranks : {1u, 4u, 27u}) {
      Words same = words;
      same[3].second = "";
      same.emplace_back("allreduce", "rdb");
      const auto program = make_kernel("fem-cg", same, ranks);
      CHECK(totals(*program).flops == near(1008.0 * 12 * 9 * 15));
      std::size_t reductions = 0;
      for (const auto& message : match_messages(record(*program)).messages) reductions += message.tag == Tag{2};
      if (ranks == 4) CHECK(reductions == 3 * 4 * 2);  // recursive doubling: log2 p rounds of p messages
    }
  }

  TEST_CASE("Weighted parts of the nodes are in proportion") {
    const auto all = totals(*make_kernel("fem-cg",
                                         {{"nodes-x", "12"},
                                          {"nodes-y", "9"},
                                          {"nodes-z", "15"},
                                          {"process-grid", "3x1x1"},
                                          {"weights-x", "1 2 3"},
                                          {"iterations", "1"}},
                                         3));
    CHECK(all.computed.at(2) == near(1008.0 * 6 * 9 * 15));
  }

  TEST_CASE("FEM refuses more parts than nodes") {
    CHECK_THROWS_WITH_AS(make_kernel("fem-cg", {{"nodes-y", "1"}, {"process-grid", "1x4x1"}}, 4),
                         "fem-cg: 4 processes share 1 nodes along y (one at least for each). Enlarge 'nodes-y'?",
                         InputError);
  }
}
