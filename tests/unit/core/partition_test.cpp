#include "sim/core/partition.hpp"

#include <doctest/doctest.h>

using namespace orrery;

TEST_SUITE("core/partition") {
  TEST_CASE("A tiling has no defect whatever its order and with ranks that have no share") {
    CHECK(tiling_defect({4, 4, {{0, 0, 2, 4}, {2, 0, 2, 1}, {2, 1, 2, 3}, {0, 0, 0, 0}}}) == "");
    CHECK(tiling_defect({3, 3, {{0, 0, 2, 1}, {2, 0, 1, 2}, {1, 2, 2, 1}, {0, 1, 1, 2}, {1, 1, 1, 1}}}) == "");
  }
  TEST_CASE("Rectangles that leave a gap or overlap are named even where their areas sum to the grid") {
    CHECK(tiling_defect({4, 4, {{0, 0, 2, 4}, {2, 0, 2, 3}}}) == "the rectangles cover 14 of 16 blocks");
    CHECK(tiling_defect({4, 4, {{0, 0, 2, 4}, {1, 0, 2, 4}}}) == "ranks 0 and 1 overlap at column 1 row 0");
    CHECK(tiling_defect({4, 4, {{0, 0, 4, 2}, {0, 0, 4, 2}}}) == "ranks 0 and 1 overlap at column 0 row 0");
    CHECK(tiling_defect({4, 2, {{0, 0, 5, 2}}}) == "rank 0 reaches column 5 row 2, outside the 4 x 2 grid");
    CHECK(tiling_defect({4, 2, {}}) == "the rectangles cover 0 of 8 blocks");
  }
}
