#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/relative.hpp"
#include "tests/support/traffic.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

Words box(const std::string& grid, const std::string& sweeps = "1") {
  return {{"points-i", "8"},   {"points-j", "6"}, {"points-k", "10"}, {"process-grid", grid},
          {"iterations", "1"}, {"substeps", "3"}, {"sweeps", sweeps}, {"fields", "4"},
          {"halo", "2"},       {"flops", "100"},  {"traffic", "200B"}};
}

}  // namespace

TEST_SUITE("kernels/finite-differences") {
  TEST_CASE("Two parts of a periodic box exchange both their sides with all fields at once") {
    const auto all = totals(*make_kernel("finite-differences", box("2x1x1"), 2));
    // Three substeps, two sides, four fields two points deep, 6 x 10 points of 8 bytes.
    CHECK(all.messages == 3 * 2 * 2);
    CHECK(all.between.at({0, 1}) == 3 * 2 * 4 * 2 * 6 * 10 * 8);
  }

  TEST_CASE("Later dimensions carry the halos of those before them") {
    const auto all = totals(*make_kernel("finite-differences", box("2x2x2"), 8));
    // A rank has 4 x 3 x 5 points; rank = (i 2 + j) 2 + k.
    const double fields = 3 * 2 * 4 * 2 * 8.0;
    CHECK(all.between.at({0, 4}) == fields * 3 * 5);
    CHECK(all.between.at({0, 2}) == fields * 8 * 5);
    CHECK(all.between.at({0, 1}) == fields * 8 * 7);
  }

  TEST_CASE("Sweeps divide the same bytes and flops among more messages and steps") {
    const auto one = totals(*make_kernel("finite-differences", box("1x2x2"), 4));
    const auto four = totals(*make_kernel("finite-differences", box("1x2x2", "4"), 4));
    CHECK(four.messages == 4 * one.messages);
    CHECK(four.bytes == near(one.bytes));
    CHECK(one.flops == near(3 * 100 * 480.0));
    CHECK(four.flops == near(one.flops));
    CHECK(one.traffic == near(3 * 200 * 480.0));
    CHECK(four.traffic == near(one.traffic));
  }

  TEST_CASE("A point moves less where planes of a part fit half of the cache") {
    // Five planes of (8 + 4) (3 + 4) values of 8 bytes are 3,360.
    const auto traffic = [](const char* cache) {
      Words words = box("1x2x2");
      words.insert(words.end(), {{"cache", cache}, {"cached-traffic", "50B"}});
      return totals(*make_kernel("finite-differences", words, 4)).traffic;
    };
    CHECK(traffic("6720B") == near(3 * 50 * 480.0));
    CHECK(traffic("6719B") == near(3 * 200 * 480.0));
  }

  TEST_CASE("Parts that are thinner than their halo are refused") {
    CHECK_THROWS_WITH_AS(make_kernel("finite-differences", box("1x4x1"), 4),
                         "finite-differences: 4 processes share 6 points along j (2, the halo, at least for each). "
                         "Enlarge 'points-j'?",
                         InputError);
  }
}
