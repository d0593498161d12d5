#include "sim/study/read/expressions.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "sim/study/read/scenario.hpp"

using namespace orrery;

namespace {

Scenario read(const std::string& kernel, const std::string& rest = "") {
  return parse_scenario(config::parse_yaml("source: a test\nplatform: fermi\nnetwork: infiniband\nlayout: {ranks: 4}\n"
                                           "kernel: {name: himeno, " +
                                               kernel + "}\n" + rest,
                                           "s.yaml"),
                        "s.yaml", {});
}

std::string value_of(const std::string& kernel, const std::string& path = "kernel.points-i") {
  return read(kernel).points.front().flat.at(path);
}

}  // namespace

TEST_SUITE("scenario/expressions") {
  TEST_CASE("A value follows from others of its point") {
    CHECK(value_of("points-i: 128 * layout.ranks") == "512");
    CHECK(value_of("points-i: 2 + 3 * layout.ranks - 1") == "13");
    CHECK(value_of("points-i: (2 + 3) * (layout.ranks - 1)") == "15");
    CHECK(value_of("points-i: 4096 / layout.ranks / 2") == "512");
    CHECK(value_of("points-j: 64, points-i: kernel.points-j * layout.ranks") == "256");
  }
  TEST_CASE("A value may follow from one that follows from others") {
    CHECK(value_of("points-i: kernel.points-j + 2, points-j: 32 * layout.ranks") == "130");
  }
  TEST_CASE("A value follows from the axes of a sweep and may be one itself") {
    const auto weak = read("points-i: 128 * layout.ranks", "sweep: {layout.ranks: [1, 2, 4]}\n");
    CHECK(weak.points[2].flat.at("kernel.points-i") == "512");
    CHECK(weak.points[2].kernel.settings.front().value == "512");
    const auto both =
        read("points-j: 64", "sweep: {layout.ranks: [1, 2], kernel.points-i: [128, 64 * layout.ranks]}\n");
    CHECK(both.points[1].flat.at("kernel.points-i") == "64");
    CHECK(both.points[3].flat.at("kernel.points-i") == "128");
    CHECK(both.points.settings(3)[1].second == "64 * layout.ranks");
  }
  TEST_CASE("A product has the unit of its factor and others are refused") {
    CHECK(value_of("element: 8B / layout.ranks", "kernel.element") == "2B");
    CHECK(value_of("element: layout.ranks * 2B + 1B", "kernel.element") == "9B");
    CHECK_THROWS_AS(value_of("element: 8B * 2B * layout.ranks"), InputError);
    CHECK_THROWS_AS(value_of("element: 8B + layout.ranks"), InputError);
    CHECK_THROWS_AS(value_of("element: layout.ranks / 8B"), InputError);
  }
  TEST_CASE("A text is an expression only where it is made of numbers and paths and has an operator") {
    CHECK(is_expression("128 * layout.ranks"));
    CHECK(is_expression("(layout.ranks + 1) / 2"));
    for (const char* text : {"layout.ranks", "128 * 4", "kernel.ti/layout.ranks", "parts/layout.ranks.yaml", "a-b",
                             "128 * layouts.ranks", "layout.ranks x 2", "", "*"})
      CHECK_FALSE(is_expression(text));
  }
  TEST_CASE("What cannot be worked out is refused with the place and the reason") {
    CHECK_THROWS_WITH_AS(
        value_of("points-i: 128 * layout.rank"),
        "s.yaml:5:34: '128 * layout.rank' needs 'layout.rank', which the scenario does not say (known: "
        "layout.ranks). Did you mean 'layout.ranks'?",
        InputError);
    CHECK_THROWS_WITH_AS(value_of("points-i: kernel.points-j + 1, points-j: kernel.points-i + 1"),
                         "s.yaml:5:34: 'kernel.points-i' depends on itself ('kernel.points-j + 1'). Write a number for "
                         "one of them?",
                         InputError);
    CHECK_THROWS_WITH_AS(
        value_of("points-i: 128 / (layout.ranks - 4)"),
        "s.yaml:5:34: '128 / (layout.ranks - 4)' cannot be worked out: it divides by 0 (numbers, paths "
        "as layout.ranks, + - * / and brackets). Write '128 * layout.ranks'?",
        InputError);
    CHECK_THROWS_WITH_AS(value_of("points-i: 128*layout.ranks"),
                         "s.yaml:5:34: '128*layout.ranks' has no blanks around its operators (names have '-', files "
                         "'/'). Write '128 * layout.ranks'?",
                         InputError);
    for (const char* wrong :
         {"points-i: layout.ranks/2", "points-i: 2*(layout.ranks + 1)", "points-i: 128 * * layout.ranks",
          "points-i: (128 * layout.ranks", "points-i: 128 layout.ranks +", "points-i: 2 * kernel.name"})
      CHECK_THROWS_AS(value_of(wrong), InputError);
    CHECK_THROWS_AS(value_of("points-i: 10 / (layout.ranks - 1)"), InputError);  // no whole number
  }
}
