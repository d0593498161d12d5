#include <doctest/doctest.h>

#include "tests/support/partitions.hpp"

using namespace orrery;

namespace {

Partition grid_of(std::uint32_t columns, std::uint32_t rows, std::size_t ranks) {
  return partitioners().at("even-grid", "test").make({{columns, rows}, std::vector<double>(ranks, 1.0)});
}

}  // namespace

TEST_SUITE("models/partition/even-grid") {
  TEST_CASE("Twelve ranks stand in three rows of four numbered row by row") {
    const Partition made = grid_of(40, 30, 12);
    CHECK(made.of(Rank{0}).width == 10);
    CHECK(made.of(Rank{0}).height == 10);
    CHECK(made.of(Rank{5}).x == 10);
    CHECK(made.of(Rank{5}).y == 10);
    CHECK(made.of(Rank{11}).right() == 40);
    CHECK(made.of(Rank{11}).bottom() == 30);
  }

  TEST_CASE("Remainders are spread so that sides differ by one block at most") {
    const Partition made = grid_of(10, 11, 12);
    for (const auto& mine : made.rectangles) {
      CHECK((mine.width == 2 || mine.width == 3));
      CHECK((mine.height == 3 || mine.height == 4));
    }
  }

  TEST_CASE("A prime number of ranks stands in one row") {
    for (const auto& mine : grid_of(70, 9, 7).rectangles) {
      CHECK(mine.height == 9);
      CHECK(mine.width == 10);
    }
  }
}
