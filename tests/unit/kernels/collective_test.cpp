#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/recorder.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

MatchedRun run(const Words& words, std::uint32_t ranks) {
  return match_messages(record(*make_kernel("collective", words, ranks)), SendEnds::received);
}

}  // namespace

TEST_SUITE("kernels/collective") {
  TEST_CASE("Columns of a grid of ranks broadcast among themselves") {
    const auto played =
        run({{"operation", "bcast"}, {"algorithm", "binomial_tree"}, {"communicator", "columns"}, {"width", "4"}}, 12);
    CHECK(played.defect == "");
    CHECK(played.messages.size() == 4 * 2);
    for (const auto& message : played.messages) CHECK(index(message.from) % 4 == index(message.to) % 4);
  }

  TEST_CASE("A rank holds what MPI asks of the caller") {
    const auto held = [](const char* operation, std::uint32_t rank, const char* root = "2") {
      return make_kernel("collective", {{"operation", operation}, {"message", "80B"}, {"root", root}}, 4)
          ->memory(Rank{rank});
    };
    CHECK(held("bcast", 0) == 80_B);
    CHECK(held("reduce", 2) == 160_B);  // what it adds to the sum, and the sum
    CHECK(held("reduce", 0) == 80_B);
    CHECK(held("gather", 2) == 5 * 80_B);  // its own share, and those of all four
    CHECK(held("scatter", 2) == 5 * 80_B);
    CHECK(held("gather", 3) == 80_B);
    CHECK(held("allreduce", 1, "0") == 160_B);
    CHECK(held("barrier", 1, "0") == 0_B);
  }

  TEST_CASE("A subset of ranks leaves the others alone") {
    const auto played =
        run({{"operation", "allgather"}, {"algorithm", "NTSLR"}, {"communicator", "subset"}, {"subset", "1,5-7"}}, 9);
    CHECK(played.defect == "");
    CHECK(played.messages.size() == 4 * 3);
    for (const auto& message : played.messages) CHECK((message.from == Rank{1} || index(message.from) >= 5));
  }

  TEST_CASE("Weights make shares uneven") {
    const auto played =
        run({{"operation", "gatherv"}, {"algorithm", "default"}, {"message", "80B"}, {"weights", "1,3"}}, 4);
    CHECK(played.defect == "");
    REQUIRE(played.messages.size() == 3);
    for (const auto& message : played.messages) CHECK(message.size == (index(message.from) % 2 == 1 ? 240_B : 80_B));
  }

  TEST_CASE("Settings that nothing would read are refused") {
    const auto refused = [](const Words& words, const std::string& error) {
      CHECK_THROWS_WITH_AS(run(words, 4), ("collective: " + error).c_str(), InputError);
    };
    refused({{"subset", "0-2"}},
            "'subset' is 0-2, but 'communicator' is world (it would have no effect). Write 'communicator=subset'?");
    refused({{"width", "2"}},
            "'width' is 2, but 'communicator' is world (it would have no effect). Write 'communicator=rows'?");
    refused({{"operation", "alltoall"}, {"root", "3"}},
            "'root' is 3, but alltoall has none (it would have no effect). Remove it?");
    refused({{"operation", "bcast"}, {"compute", "true"}},
            "'compute' is true, but bcast reduces nothing (it would have no effect). Remove it?");
    refused({{"operation", "allreduce"}, {"weights", "1,2"}},
            "'weights' is 1,2, but allreduce has equal parts (it would have no effect). Remove it?");
    CHECK_NOTHROW(run({{"operation", "allreduce"}, {"compute", "true"}}, 4));
    CHECK_NOTHROW(run({{"operation", "reduce"}, {"root", "3"}, {"communicator", "rows"}, {"width", "4"}}, 4));
  }

  TEST_CASE("A collective refuses what it cannot do and says what it could") {
    CHECK_THROWS_WITH_AS(run({{"operation", "bcast"}, {"root", "4"}}, 4),
                         "collective: 'root' is 4, of 4 members (0..3). Choose 0?", InputError);
    CHECK_THROWS_WITH_AS(run({{"communicator", "subset"}, {"subset", "0,4"}}, 4),
                         "collective: 'subset' names '4' (ranks 0..3, as '0,2,5-7'). Write '0-3'?", InputError);
    CHECK_THROWS_WITH_AS(run({{"communicator", "subset"}, {"subset", "0,0"}}, 4),
                         "collective: 'subset' names rank 0 twice. Name it once?", InputError);
    CHECK_THROWS_WITH_AS(run({{"operation", "alltoallv"}, {"algorithm", "rings"}}, 4),
                         "collective: 'rings' is neither a selector nor a collective algorithm (see 'orrery list "
                         "collectives'). Did you mean 'ring'?",
                         InputError);
    CHECK_THROWS_WITH_AS(
        run({{"operation", "alltoallv"}, {"algorithm", "rdb"}}, 4),
        "collective: unknown alltoallv algorithm 'rdb' (known: bruck, nccl_pxn, ompi_basic_linear, pair, ring).",
        InputError);
    CHECK_THROWS_WITH_AS(run({{"communicator", "rows"}, {"width", "9"}}, 4),
                         "collective: 'width' is 9, of 4 ranks. Choose 4?", InputError);
  }
}
