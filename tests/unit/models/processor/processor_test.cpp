#include <doctest/doctest.h>

#include <cmath>

#include "models/processor/builder.hpp"
#include "models/processor/shape.hpp"
#include "models/processor/speed_surface.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;
using Points = std::vector<SpeedPoint>;

TEST_SUITE("models/processor/speed function") {
  TEST_CASE("A functional performance model is linear between its points and constant outside them") {
    const SpeedFunction function({{10, 4}, {20, 2}});
    CHECK(function.speed(1) == 4);
    CHECK(function.speed(15) == near(3));
    CHECK(function.speed(50) == 2);
    CHECK(function.time(15) == near(5));
    CHECK(function.time(0) == 0);
  }

  TEST_CASE("A new point before the first or after the last or between two replaces the segment it falls on") {
    SpeedFunction function({{100, 5}});
    function.insert({50, 8});  // before the first: constant up to it then down to the old one
    CHECK(function.speed(20) == 8);
    CHECK(function.speed(75) == near(6.5));
    function.insert({200, 1});  // after the last
    CHECK(function.speed(150) == near(3));
    CHECK(function.speed(1000) == 1);
    function.insert({150, 4});  // between two
    CHECK(function.speed(125) == near(4.5));
    CHECK(function.speed(175) == near(2.5));
    function.insert({150, 2});  // measured again
    CHECK(function.speed(150) == 2);
    CHECK(function.points().size() == 4);
  }

  TEST_CASE("Smooth interpolations pass through their points and the monotone one never leaves their range") {
    const Points points{{0, 1}, {1, 1}, {2, 9}, {3, 9}, {4, 5}};
    for (const auto interpolation : {Interpolation::cubic, Interpolation::akima}) {
      const SpeedFunction function(points, interpolation);
      for (const auto& [size, speed] : points) CHECK(function.speed(size) == near(speed));
    }
    const SpeedFunction cubic(points, Interpolation::cubic);
    for (double size = 0.0; size <= 2.0; size += 0.01) {
      CHECK(cubic.speed(size) >= 1.0 - 1e-12);
      CHECK(cubic.speed(size) <= 9.0 + 1e-12);
    }
    CHECK(cubic.speed(1.25) != near(3.0));                                                 // as linear would say
    CHECK(SpeedFunction({{1, 2}, {2, 3}}, Interpolation::akima).speed(1.5) == near(2.5));  // too few points: linear
  }

  TEST_CASE("Points that are no speed function are refused") {
    CHECK_THROWS_WITH_AS(SpeedFunction({}), "speed function: no points (at least 1). Measure one?", DomainError);
    CHECK_THROWS_WITH_AS(SpeedFunction({{1, 2}, {1, 3}}, Interpolation::linear, "a.csv"),
                         "a.csv: size 1 after 1 (sizes ascend). Sort the points?", DomainError);
    CHECK_THROWS_WITH_AS(SpeedFunction(Points{{1, -2}}),
                         "speed function: speed '-2' at size 1 (finite and positive). Leave the point out?",
                         DomainError);
    CHECK_THROWS_WITH_AS(SpeedFunction(Points{{-1, 2}}),
                         "speed function: size '-1' (finite and not negative). Correct the point?", DomainError);
    CHECK_THROWS_WITH(
        SpeedFunction({{0, 100}, {1, 100}, {2, 0.01}, {2.2, 0.01}, {2.4, 50}, {3, 100}}, Interpolation::akima),
        doctest::Contains("speeds are positive). Use 'cubic'?"));
  }
}

TEST_SUITE("models/processor/shape") {
  TEST_CASE("A function that rises concavely and then falls keeps all restrictions") {
    const auto shape = shape_of(SpeedFunction({{0, 1}, {1, 3}, {2, 4}, {5, 2}, {9, 1}}));
    CHECK(shape.defects().empty());
    CHECK(shape.falls_from == near(2));
    CHECK(shape_of(SpeedFunction(Points{{1, 5}})).defects().empty());
  }

  TEST_CASE("Each broken restriction of the shape is named with its size") {
    const auto again = shape_of(SpeedFunction({{1, 5}, {2, 3}, {4, 3.5}}));
    REQUIRE(again.fall);
    CHECK(again.fits_a_line());  // rises, but less than a line through the origin
    CHECK(again.defects() == std::vector<std::string>{"at size 2.125 the speed rises again after its greatest speed"});
    const auto steep = shape_of(SpeedFunction({{1, 1}, {2, 1.2}, {3, 6}, {9, 2}}));
    REQUIRE(steep.rise);
    CHECK(steep.rise->size == near(2));
    CHECK_FALSE(steep.fits_a_line());
    CHECK(steep.one_cut->what == "rises as fast as a line through the origin: a larger task takes no longer");
  }
}

TEST_SUITE("models/processor/speed surface") {
  TEST_CASE("The speed of a surface at a width lies between the curves beside it") {
    const SpeedSurface surface({{10, SpeedFunction({{1, 8}, {3, 4}})}, {20, SpeedFunction({{1, 4}, {2, 2}})}});
    CHECK(surface.speed(15, 1) == near(6));
    CHECK(surface.speed(5, 1) == near(8));
    CHECK(surface.speed(99, 2) == near(2));
    CHECK(surface.speed(15, 2) == near(4));
    CHECK(surface.speed(10, 2) == near(6));
    CHECK_THROWS_WITH_AS(SpeedSurface({}), "speed surface: no curves (at least 1). Measure one width?", DomainError);
  }
}

TEST_SUITE("models/processor/builder") {
  TEST_CASE("A constant speed is built from three measurements") {
    const auto built = build_model([](double size) { return Seconds(size / 7.0); }, {.from = 1, .to = 1000});
    CHECK(built.measured.size() == 3);
    CHECK(built.stopped == BuiltModel::Stopped::accurate);
    CHECK(built.function.speed(123) == near(7));
    CHECK(built.cost.si() == near((1.0 + 501.0 + 1000.0) / 7.0, 0.01));
  }

  TEST_CASE("Measurements gather where the speed bends") {
    const auto speed = [](double size) { return size < 600.0 ? 10.0 : 10.0 / (1.0 + 0.05 * (size - 600.0)); };
    const auto built = build_model([&](double size) { return Seconds(size / speed(size)); },
                                   {.from = 1, .to = 1000, .accuracy = 0.02});
    std::size_t before = 0;
    for (const auto& point : built.measured) before += point.size < 450.0;
    CHECK(before < built.measured.size() / 3);
    for (double size = 10.0; size < 1000.0; size += 10.0)
      CHECK(std::abs(built.function.speed(size) / speed(size) - 1.0) < 0.1);
  }

  TEST_CASE("A builder stops at its number of points or at its cost") {
    const auto measure = [](double size) { return Seconds(size * size); };
    CHECK(build_model(measure, {.from = 1, .to = 1000, .points_max = 5}).measured.size() == 5);
    CHECK(build_model(measure, {.from = 1, .to = 1000, .points_max = 5}).stopped == BuiltModel::Stopped::points);
    CHECK(build_model(measure, {.from = 1, .to = 1000, .cost_max = Seconds(1e6)}).stopped == BuiltModel::Stopped::cost);
    CHECK_THROWS_WITH_AS(build_model([](double) { return Seconds{}; }, {.from = 1, .to = 2}),
                         "speed function: measuring size 1 took 0 s (positive). Repeat the task more often?",
                         DomainError);
    CHECK_THROWS_WITH_AS(build_model(measure, {.from = 0, .to = 2}),
                         "speed function: sizes 0 to 2 in steps of 1 with at most 100 points (positive, ascending, at "
                         "least 2 points). Correct the range?",
                         DomainError);
  }
}
