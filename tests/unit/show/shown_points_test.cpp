#include "sim/show/summary/shown_points.hpp"

#include <doctest/doctest.h>

#include <string>

namespace orrery::show {

namespace {

/// A result of first x second points.
ScenarioResult grid(std::size_t first, std::size_t second) {
  ScenarioResult result;
  for (std::size_t i = 0; i < first; ++i)
    for (std::size_t k = 0; k < second; ++k)
      result.points.push_back(
          {.settings = {{"kernel.message", std::to_string(i)}, {"kernel.repetitions", std::to_string(k)}}});
  return result;
}

}  // namespace

TEST_SUITE("report/shown points") {
  TEST_CASE("A page shows every point of a sweep that it can draw") {
    const ShownPoints shown = shown_points(grid(8, 5), 40);
    CHECK(shown.numbers.size() == 40);
    CHECK(shown.thinned.empty());
  }

  TEST_CASE("Of a larger sweep the longest axis loses every other value until the page can draw the rest") {
    const ScenarioResult result = grid(9, 4);
    const ShownPoints shown = shown_points(result, 20);
    REQUIRE(shown.numbers.size() == 20);  // values 0 2 4 6 8 of the first axis with all four of the second
    CHECK(shown.thinned == "5 of the 9 values of message");
    CHECK(result.points[shown.numbers.front()].settings[0].second == "0");
    CHECK(result.points[shown.numbers[4]].settings[0].second == "2");
    CHECK(result.points[shown.numbers.back()].settings[0].second == "8");
  }

  TEST_CASE("The last value of a thinned axis stays even where the stride misses it") {
    const ScenarioResult result = grid(10, 1);
    const ShownPoints shown = shown_points(result, 6);
    CHECK(shown.numbers == std::vector<std::size_t>{0, 2, 4, 6, 8, 9});
  }

  TEST_CASE("Points that no axis can thin are cut at the limit and the words say so") {
    ScenarioResult result;
    result.points.resize(10);
    const ShownPoints shown = shown_points(result, 4);
    CHECK(shown.numbers == std::vector<std::size_t>{0, 1, 2, 3});
    CHECK(shown.thinned == "the first 4");
  }
}

}  // namespace orrery::show
