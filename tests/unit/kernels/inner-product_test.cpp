#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/traffic.hpp"

using namespace orrery;
using namespace orrery::test;

TEST_SUITE("kernels/inner-product") {
  TEST_CASE("The inner product costs 2 N flops and p times p more and one word between every two ranks") {
    const Partition uneven{1, 100, {{0, 0, 1, 10}, {0, 10, 1, 60}, {0, 70, 1, 30}}};
    const auto all = totals(*make_kernel("inner-product", {{"elements", "100"}, {"repetitions", "2"}}, uneven));
    CHECK(all.messages == 2 * 3 * 2);
    for (const auto& [pair, bytes] : all.between) CHECK(bytes == 2 * 8);
    CHECK(all.flops == 2 * (2 * 100 + 3 * 3));
    CHECK(all.computed.at(1) == 2 * (2 * 60 + 3));
  }

  TEST_CASE("The inner product refuses a partition of another length") {
    CHECK_THROWS_WITH_AS(
        make_kernel("inner-product", {{"elements", "99"}}, Partition{1, 100, {{0, 0, 1, 100}}}),
        "inner-product: the partition is 1 x 100 elements, the kernel's grid 1 x 99 (they must agree). "
        "Change 'elements'?",
        InputError);
  }
}
