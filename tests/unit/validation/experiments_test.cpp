// Micro-benchmarks as a text between two programs, and which ranks run them.
#include "validation/mpi/experiments.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;

TEST_SUITE("validation/experiments") {
  TEST_CASE("A plan of micro-benchmarks survives being written and read") {
    const std::vector<Experiment> plan{
        {"pingpong/network/fast", "pingpong", {{"sizes", "1B,64B"}}, {{NodeId{0}, 0}, {NodeId{1}, 0}}},
        {"overhead/shared-memory/fast",
         "overhead",
         {{"sizes", "1B"}, {"messages", "8"}},
         {{NodeId{2}, 0}, {NodeId{2}, 1}}}};
    const auto read = mpi::parse_experiments(mpi::experiments_text(plan), "experiments.txt");
    REQUIRE(read.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(read[i].id == plan[i].id);
      CHECK(read[i].kernel == plan[i].kernel);
      CHECK(read[i].kernel_parameters == plan[i].kernel_parameters);
      REQUIRE(read[i].placement.size() == 2);
      CHECK(read[i].placement[1].node == plan[i].placement[1].node);
      CHECK(read[i].placement[1].core == plan[i].placement[1].core);
    }
  }

  TEST_CASE("A damaged plan of micro-benchmarks is refused with its line") {
    const auto refused = [](const char* text, const char* message) {
      CHECK_THROWS_WITH_AS(mpi::parse_experiments(text, "e.txt"), message, InputError);
    };
    refused("# a comment\na\tpingpong\n",
            "e.txt:2: 2 fields (id, kernel, places and parameters, parted by tabs). Is the file cut off?");
    refused("a\tpingpong\t0\n", "e.txt:1: '0' is no place (node:core). Write '0:0'?");
    refused("a\tpingpong\t0:0 1:x\n", "e.txt:1: '1:x' is no place (node:core). Write '0:0'?");
    refused("a\tpingpong\t0:0\tsizes\n", "e.txt:1: 'sizes' is no parameter (name=value). Add '='?");
  }

  TEST_CASE("Ranks are chosen by the host they run on and by their number there") {
    const std::vector<std::string> hosts{"a", "a", "b", "b", "c"};
    CHECK(mpi::ranks_at({{NodeId{1}, 1}, {NodeId{2}, 0}}, hosts) == std::vector<int>{3, 4});
    CHECK(mpi::ranks_at({{NodeId{2}, 1}}, hosts).empty());
    CHECK(mpi::ranks_at({{NodeId{3}, 0}}, hosts).empty());
    CHECK(mpi::ranks_at({{NodeId{1}, 0}, {NodeId{1}, 0}}, hosts).empty());  // no rank talks to itself
  }
}
