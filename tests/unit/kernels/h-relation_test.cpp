#include <doctest/doctest.h>

#include "tests/support/partitions.hpp"
#include "tests/support/traffic.hpp"

using namespace orrery;
using namespace orrery::test;

TEST_SUITE("kernels/h-relation") {
  TEST_CASE("Words of an h-relation go round the other ranks and those for one rank travel together") {
    const auto program = make_kernel("h-relation", {{"sizes", "40B"}, {"barrier", "ideal"}}, 4);
    const auto all = totals(*program);
    CHECK(all.messages == 4 * 3);
    for (std::uint32_t s = 0; s < 4; ++s) {  // 5 words: 2, 2 and 1
      CHECK(all.between.at({s, (s + 1) % 4}) == 16);
      CHECK(all.between.at({s, (s + 2) % 4}) == 16);
      CHECK(all.between.at({s, (s + 3) % 4}) == 8);
    }
  }
}
