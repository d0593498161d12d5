#include <doctest/doctest.h>

#include <set>

#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/recorder.hpp"

using namespace orrery;
using namespace orrery::test;

TEST_SUITE("kernels/broadcast") {
  TEST_CASE("The root of a binomial broadcast sends to the ranks at distance 1 and 2 and 4 in this order") {
    const auto steps = record(*make_kernel("broadcast", {{"message", "100B"}, {"root", "6"}}, 8)).steps[6];
    REQUIRE(steps.size() == 7);
    CHECK(std::get<Send>(steps[3]).to == Rank{7});
    CHECK(std::get<Send>(steps[4]).to == Rank{0});
    CHECK(std::get<Send>(steps[5]).to == Rank{2});
    CHECK(std::get<Send>(steps[5]).message == 100_B);
  }

  TEST_CASE("A binomial broadcast reaches every rank once for any number of ranks and any root") {
    for (std::uint32_t ranks = 1; ranks <= 20; ++ranks)
      for (std::uint32_t root = 0; root < ranks; ++root) {
        const auto run = match_messages(record(*make_kernel("broadcast", {{"root", std::to_string(root)}}, ranks)),
                                        SendEnds::received);
        CHECK(run.defect == "");
        std::set<std::size_t> reached{root};
        for (const auto& message : run.messages) {
          CHECK(reached.contains(index(message.from)));
          CHECK(reached.insert(index(message.to)).second);
        }
        CHECK(reached.size() == ranks);
      }
  }

  TEST_CASE("A broadcast refuses a root beyond its ranks") {
    CHECK_THROWS_WITH_AS(make_kernel("broadcast", {{"root", "4"}}, 4),
                         "broadcast: 'root' is 4, of 4 ranks (0..3). Choose 0?", InputError);
  }
}
