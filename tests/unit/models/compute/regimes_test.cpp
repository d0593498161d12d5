#include <doctest/doctest.h>

#include "models/processor/shape.hpp"
#include "tests/support/relative.hpp"
#include "two_types.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

constexpr const char* table =
    "type,gpu,speed_flop_per_s,cache_B,bandwidth_B_per_s,memory_B,disk_B_per_s\n"
    "big,any,100e9,,,,\nbig,,1e9,1e6,4e9,1e8,5e7\nsmall,,1e9,1e6,4e9,,\n";

/// A rank-1 update of m x 1000 elements of 8 B.
Compute update(double m) { return {Work::dgemm, Flops(2.0 * m * 1000), {m, 1000, 1}, Bytes(16.0 * m * 1000)}; }

}  // namespace

TEST_SUITE("models/compute/regimes") {
  TEST_CASE("A step that fits into the cache runs at its speed and a larger one as fast as the memory feeds it") {
    const auto model = compute_model("regimes", table);
    const double cores = seconds(*compute_model("regimes", "speed_flop_per_s\n1e9\n"), update(1), 2);
    const double k = 2000.0 / 1e9 / cores;  // cores of rank 2
    CHECK(seconds(*model, update(10), 2) == near(20e3 / (k * 1e9)));
    CHECK(seconds(*model, update(1e6), 2) == near((16e9 - k * 1e6) / (k * 4e9)));
    CHECK(model->description() ==
          "regimes: cache, memory and paging from 'f.csv'; a rank holds 3 M N + 0 N^2 elements");
  }

  TEST_CASE("The share of what a rank holds that memory does not take comes from the disk") {
    const auto model = compute_model("regimes", "speed_flop_per_s,memory_B,disk_B_per_s\n1e9,12e6,1e6\n");
    const auto unpaged = compute_model("regimes", "speed_flop_per_s\n1e9\n");
    // 3 x 1000 x 1000 x 8 B are held, half of which is on the disk: half of 16 MB at 1 MB/s.
    CHECK(seconds(*model, update(1000), 2) == near(seconds(*unpaged, update(1000), 2) + 8.0));
    CHECK(seconds(*model, update(500), 2) == near(seconds(*unpaged, update(500), 2)));
  }

  TEST_CASE("The speed of a processor with regimes has the shape that a line through the origin needs") {
    const auto model = compute_model("regimes",
                                     "speed_flop_per_s,cache_B,bandwidth_B_per_s,memory_B,disk_B_per_s\n"
                                     "1e9,1e6,4e9,1e8,5e7\n");
    std::vector<SpeedPoint> points;
    for (double m = 1.0; m < 1e5; m *= 1.2) points.push_back({m, m / seconds(*model, update(m), 2)});
    const auto shape = shape_of(SpeedFunction(points));
    CHECK(shape.fits_a_line());
    CHECK_FALSE(shape.fall);
  }

  TEST_CASE("Regimes that cannot be read are refused with their line") {
    CHECK_THROWS_WITH_AS(compute_model("regimes", "speed_flop_per_s,memory_B\n1e9,1e6\n"),
                         "f.csv:2: has 'memory_B' and no 'disk_B_per_s' (paging needs both). Add it?", InputError);
    CHECK_THROWS_WITH_AS(compute_model("regimes", "speed_flop_per_s\n1e9\n2e9\n"),
                         "f.csv:3: a second row about the same ranks and work (one each). Remove one?", InputError);
    CHECK_THROWS_WITH_AS(compute_model("regimes", "speed_flop_per_s\n-1\n"),
                         "f.csv:2: 'speed_flop_per_s' is '-1' (a number from 1 to 1e+21). Correct it?", InputError);
  }
}
