#include "kernels/cuts.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;

namespace {

std::vector<std::uint64_t> sizes(const Cuts& cuts) {
  std::vector<std::uint64_t> result;
  for (std::uint32_t part = 0; part < cuts.parts(); ++part) result.push_back(cuts.size(part));
  return result;
}

ProcessGrid::Place sides(const ProcessGrid& grid) { return {grid.size(0), grid.size(1), grid.size(2)}; }

}  // namespace

TEST_SUITE("kernels/cuts") {
  TEST_CASE("Without weights parts differ by one at most and the longer ones come first") {
    CHECK(sizes(cut(11, 4)) == std::vector<std::uint64_t>{3, 3, 3, 2});
    CHECK_FALSE(cut(11, 4).equal());
    CHECK(cut(12, 4).equal());
    CHECK(cut(3, 4).least() == 0);
  }
  TEST_CASE("Weighted parts are in proportion and add up") {
    CHECK(sizes(cut(10, 3, {1, 1, 3})) == std::vector<std::uint64_t>{2, 2, 6});
    CHECK(sizes(cut(10, 3, {1, 1, 1})) == std::vector<std::uint64_t>{4, 3, 3});
    CHECK(sizes(cut(7, 3, {0, 1, 1})) == std::vector<std::uint64_t>{0, 4, 3});
    const Cuts many = cut(1'000'003, 97, std::vector<double>(97, 0.1));
    CHECK(many.total() == 1'000'003);
    CHECK(many.begin(96) + many.size(96) == 1'000'003);
  }
  TEST_CASE("Weights are numbers between commas or spaces") {
    CHECK(weights_from("1, 2.5 3", 3, "k: 'w'") == std::vector<double>{1, 2.5, 3});
    CHECK(weights_from("", 3, "k: 'w'").empty());
    CHECK_THROWS_WITH_AS(weights_from("1 2", 3, "k: 'w'"),
                         "k: 'w': 2 weights for 3 parts (one for each). Change their number?", InputError);
    CHECK_THROWS_WITH_AS(weights_from("1 -2 3", 3, "k: 'w'"),
                         "k: 'w': '-2' is no weight (a number of 0 or more). Correct it?", InputError);
    CHECK_THROWS_WITH_AS(weights_from("0 0", 2, "k: 'w'"),
                         "k: 'w': all weights are 0 (one at least is more). Write '1'?", InputError);
  }
  TEST_CASE("A grid of processes is the most cubic one unless it is given") {
    CHECK(sides(process_grid("", 3, 64, "k")) == ProcessGrid::Place{4, 4, 4});
    CHECK(sides(process_grid("", 3, 12, "k")) == ProcessGrid::Place{3, 2, 2});
    CHECK(sides(process_grid("", 3, 13, "k")) == ProcessGrid::Place{13, 1, 1});
    CHECK(sides(process_grid("", 2, 12, "k")) == ProcessGrid::Place{4, 3, 1});
    CHECK(sides(process_grid("1x2x6", 3, 12, "k")) == ProcessGrid::Place{1, 2, 6});
  }
  TEST_CASE("Ranks of a grid are numbered with the last dimension the fastest") {
    const ProcessGrid grid = process_grid("2x3x4", 3, 24, "k");
    CHECK(grid.place(Rank{23}) == ProcessGrid::Place{1, 2, 3});
    CHECK(grid.place(Rank{4}) == ProcessGrid::Place{0, 1, 0});
    for (std::uint32_t r = 0; r < 24; ++r) CHECK(grid.rank(grid.place(Rank{r})) == Rank{r});
  }
  TEST_CASE("A grid of processes that does not fit is refused") {
    CHECK_THROWS_WITH_AS(process_grid("2x3", 2, 8, "k: 'g'"),
                         "k: 'g': '2x3' is a grid of 6 ranks, the run has 8 (they must agree). Leave it empty?",
                         InputError);
    CHECK_THROWS_WITH_AS(process_grid("2x4", 3, 8, "k: 'g'"),
                         "k: 'g': '2x4' has 2 sides (it has 3 dimensions). Write '4x2x1'?", InputError);
    CHECK_THROWS_WITH_AS(process_grid("2xb", 2, 8, "k: 'g'"),
                         "k: 'g': 'b' is no side (a whole number, 1 or more). Correct it?", InputError);
  }
}
