#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/traffic.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

/// Three ranks with 2, 5 and 1 of eight rows.
const Partition slices{1, 8, {{0, 0, 1, 2}, {0, 2, 1, 5}, {0, 7, 1, 1}}};

}  // namespace

TEST_SUITE("kernels/matmul") {
  TEST_CASE("The 1-D product multiplies slices in proportion to their rows and sends nothing") {
    const auto all = totals(*make_kernel("matmul-1d", {{"blocks", "8"}, {"block", "4"}}, slices));
    CHECK(all.messages == 0);
    const double n = 8 * 4;
    CHECK(all.flops == 2 * n * n * n);
    CHECK(all.computed.at(1) == 2 * (5 * 4) * n * n);
  }

  TEST_CASE("A distributed 1-D product hands out slices of A and all of B and collects C") {
    const auto all = totals(*make_kernel(
        "matmul-1d", {{"blocks", "8"}, {"block", "4"}, {"distribute", "true"}, {"collectives", "openmpi"}}, slices));
    const double n = 8 * 4;
    CHECK(all.bytes == 8 * (2 * n * (6 * 4) + 2 * n * n));  // slices out and back of ranks 1 and 2; B twice
    CHECK(all.sent.at(1) >= 8 * n * (5 * 4));
  }

  TEST_CASE("The 2-D product broadcasts bands across columns and pivot rows down them") {
    // Two columns of two: bands of 60, 40 and 28 rows.
    const Partition partition{128, 128, {{0, 0, 80, 60}, {0, 60, 80, 68}, {80, 0, 48, 100}, {80, 100, 48, 28}}};
    const auto all = totals(*make_kernel("matmul-2d", {{"blocks", "128"}, {"block", "2"}}, partition));
    const double block = 2 * 2 * 8;
    CHECK(all.between.at({0, 2}) == 80 * 60 * block);  // while the pivot column is among the first 80
    CHECK(all.between.at({2, 0}) == 48 * 60 * block);
    CHECK(all.between.at({1, 2}) == 80 * 40 * block);
    CHECK(all.between.at({1, 3}) == 80 * 28 * block);
    CHECK_FALSE(all.between.contains({0, 3}));
    CHECK(all.between.at({0, 1}) == 60 * 80 * block);  // pivot rows that rank 0 owns
    CHECK(all.between.at({3, 2}) == 28 * 48 * block);
    CHECK(all.bytes == 128 * (128 + 80 + 48) * block);
    CHECK(all.flops == 2.0 * 256 * 256 * 256);
  }

  TEST_CASE("The 2-D product moves as many bytes as SUMMA on the partition of figure 8") {
    const Words words{{"blocks", "256"}, {"block", "4"}, {"compute", "false"}};
    CHECK(totals(*make_kernel("matmul-2d", words, fig8())).bytes == totals(*make_kernel("summa", words, fig8())).bytes);
  }

  TEST_CASE("A benchmark of the 2-D product is as deep as it is told and of one block where nobody says") {
    const auto& kernel = kernels().at("matmul-2d", "test");
    const auto share = [&](const char* depth) {
      return kernel.share(kernel_parameters("matmul-2d", {{"block", "4"}, {"benchmark-depth", depth}}), {3.0, 2.0});
    };
    CHECK(share("0").flops == Flops(2.0 * 12 * 8 * 4));
    CHECK(share("1").flops == Flops(2.0 * 12 * 8));
    CHECK(share("1").traffic == Bytes(8.0 * (2 * 12 * 8 + 12 + 8)));  // C read and written whole, a column, a row
    CHECK(share("0").traffic == Bytes(8.0 * (2 * 12 * 8 + 4 * (12 + 8))));
  }

  TEST_CASE("Products refuse partitions that are no columns or missing") {
    CHECK_THROWS_WITH_AS(make_kernel("matmul-1d", {}, 4),
                         "matmul-1d: needs a partition of its blocks. Name an algorithm?", InputError);
    const Partition windmill{3, 3, {{0, 0, 2, 1}, {2, 0, 1, 2}, {1, 2, 2, 1}, {0, 1, 1, 2}, {1, 1, 1, 1}}};
    CHECK_THROWS_AS(make_kernel("matmul-2d", {{"blocks", "3"}}, windmill), InputError);
  }
}
