#include <doctest/doctest.h>

#include "models/partition/apportion.hpp"
#include "tests/support/partitions.hpp"

using namespace orrery;

using Parts = std::vector<std::uint32_t>;

TEST_SUITE("models/partition/rows") {
  TEST_CASE("Slices are whole rows from top to bottom with heights as the speeds") {
    const Partition made = partitioners().at("rows", "test").make({{7, 100}, {1, 3, 0, 6}});
    const Parts heights{10, 30, 0, 60}, tops{0, 10, 40, 40};
    for (std::uint32_t r = 0; r < 4; ++r) {
      CHECK(made.rectangles[r].x == 0);
      CHECK(made.rectangles[r].width == 7);
      CHECK(made.rectangles[r].height == heights[r]);
      CHECK(made.rectangles[r].y == tops[r]);
    }
  }
}

TEST_SUITE("models/partition/apportion") {
  TEST_CASE("Blocks left over go to whoever is furthest below its share") {
    CHECK(apportion(10, std::vector<double>{1, 1, 1}) == Parts{4, 3, 3});
    CHECK(apportion(10, std::vector<double>{2.6, 3.7, 3.7}) == Parts{2, 4, 4});
    CHECK(apportion(256, std::vector<double>{31744, 24832, 8960}) == Parts{124, 97, 35});
  }

  TEST_CASE("A slow part still gets one block while there are enough") {
    CHECK(apportion(4, std::vector<double>{1e-9, 1, 1e9}) == Parts{1, 1, 2});
    CHECK(apportion(2, std::vector<double>{1e-9, 1, 1e9}) == Parts{0, 0, 2});
    CHECK(apportion(3, std::vector<double>{0, 1, 1e9}) == Parts{0, 1, 2});
  }
}
