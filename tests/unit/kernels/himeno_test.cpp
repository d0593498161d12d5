#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/traffic.hpp"

using namespace orrery;
using namespace orrery::test;

namespace {

Words box(const std::string& i, const std::string& j, const std::string& k, const std::string& grid) {
  return {{"points-i", i}, {"points-j", j}, {"points-k", k}, {"process-grid", grid}, {"iterations", "1"}};
}

}  // namespace

TEST_SUITE("kernels/himeno") {
  TEST_CASE("Two parts of a box exchange a face with the layer beyond it both ways") {
    const auto all = totals(*make_kernel("himeno", box("8", "6", "10", "1x1x2"), 2));
    // Faces of 8 x 6 points of 4 bytes both ways; the allreduce sends 4 bytes both ways.
    CHECK(all.between.at({0, 1}) == 4 * 8 * 6 + 4);
    CHECK(all.between.at({1, 0}) == 4 * 8 * 6 + 4);
  }

  TEST_CASE("Faces of an inner rank hold the layers beyond their sides") {
    const auto all = totals(*make_kernel("himeno", box("12", "9", "15", "3x3x3"), 27));
    // Rank 13 in the middle has 4 x 3 x 5 points and one layer on each side: 6 x 5 x 7.
    const auto reduction = [&](std::uint32_t to) {
      return all.between.contains({13, to}) ? all.between.at({13, to}) : 0.0;
    };
    CHECK(std::abs(reduction(14) - 4 * 6 * 5) <= 8);
    CHECK(std::abs(reduction(16) - 4 * 6 * 7) <= 8);
    CHECK(std::abs(reduction(22) - 4 * 5 * 7) <= 8);
  }

  TEST_CASE("Himeno computes 34 flops and moves 56 bytes for each inner point of the box on any grid") {
    for (const char* grid : {"1x1x6", "6x1x1", "3x2x1", "1x2x3"}) {
      const auto all = totals(*make_kernel("himeno", box("13", "14", "15", grid), 6));
      CHECK(all.flops == 34.0 * 11 * 12 * 13);
      CHECK(all.traffic == 56.0 * 11 * 12 * 13);
    }
  }

  TEST_CASE("Weighted parts of the box are in proportion") {
    Words words = box("10", "10", "40", "1x1x3");
    words.emplace_back("weights-k", "1 2 5");
    const auto all = totals(*make_kernel("himeno", words, 3));
    CHECK(all.computed.at(0) == 34.0 * 8 * 8 * 4);  // 5 layers, the first is the border of the box
    CHECK(all.computed.at(1) == 34.0 * 8 * 8 * 10);
    CHECK(all.computed.at(2) == 34.0 * 8 * 8 * 24);
  }

  TEST_CASE("Himeno refuses more parts than points") {
    CHECK_THROWS_WITH_AS(make_kernel("himeno", box("3", "8", "8", "4x1x1"), 4),
                         "himeno: 4 processes share 3 points along i (one at least for each). Enlarge 'points-i'?",
                         InputError);
  }
}
