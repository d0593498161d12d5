// Segmented regression: lines and the places where they end, found in points.
#include "models/stats/segments.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery::stats;
using namespace orrery;
using test::Absolute;
using test::near;

namespace {

std::vector<Point> points_of(const std::vector<double>& sizes, double (*f)(double), double noise = 0.0) {
  std::vector<Point> points;
  double sign = 1.0;
  for (const double x : sizes) points.push_back({x, f(x) * (1.0 + noise * (sign = -sign))});
  return points;
}

const std::vector<double> sizes{1, 256, 512, 1024, 1448, 2048, 4096, 8192, 16384, 32768, 65536, 98304, 131072, 262144};

double straight(double x) { return 1e-4 + 1e-8 * x; }
/// A frame that is stored and forwarded up to 1448 B, and a jump of 1 ms from 64 KiB on.
double ethernet(double x) { return 4e-4 + 8e-8 * (x + std::min(x, 1448.0)) + (x >= 65536.0 ? 1e-3 : 0.0); }

}  // namespace

TEST_SUITE("models/stats") {
  TEST_CASE("A straight line is found as one line") {
    const auto fit = fit_segments(points_of(sizes, straight));
    REQUIRE(fit.segments.size() == 1);
    CHECK(fit.segments[0].line.intercept == near(1e-4));
    CHECK(fit.segments[0].line.slope == near(1e-8, 1e-6));
    CHECK(fit(3000.0) == near(straight(3000.0)));
    CHECK(fit.deviation == near(0.0, Absolute{1e-9}));
  }

  TEST_CASE("Where a slope halves and where a time jumps a new line begins") {
    const auto fit = fit_segments(points_of(sizes, ethernet));
    REQUIRE(fit.segments.size() == 3);
    CHECK((fit.begins[1] == 1448 || fit.begins[1] == 2048));  // 1448 B lies on both
    CHECK(fit.begins[2] == 65536);
    CHECK(fit.segments[0].line.slope == near(2 * fit.segments[1].line.slope, 1e-6));
    CHECK(fit.segments[2].line.intercept - fit.segments[1].line.intercept == near(1e-3, 1e-6));
  }

  TEST_CASE("Scatter of measurements makes no lines and the true slope lies in its confidence") {
    const auto fit = fit_segments(points_of(sizes, straight, 0.004));
    REQUIRE(fit.segments.size() == 1);
    CHECK(std::abs(fit.segments[0].line.slope - 1e-8) < fit.segments[0].slope_within);
    CHECK(std::abs(fit.segments[0].line.intercept - 1e-4) < fit.segments[0].intercept_within);
    CHECK(fit.segments[0].slope_within < 1e-9);
  }

  TEST_CASE("A line through two points has no confidence") {
    CHECK_THROWS_WITH_AS(fit_segments(points_of({1}, straight)),
                         "fit: 1 points make no line of 2 (at least 2). Measure more sizes?", DomainError);
    const auto fit = fit_segments(points_of({1, 1024}, straight));
    REQUIRE(fit.segments.size() == 1);
    CHECK(std::isinf(fit.segments[0].slope_within));
    CHECK(fit(512.0) == near(straight(512.0)));
  }

  TEST_CASE("A line is as far off as its own points are") {
    const auto fit = fit_segments(points_of(sizes, straight, 0.004));
    CHECK(fit.segments[0].deviation == near(fit.deviation));
    CHECK(fit.deviation == near(0.004, 0.2));
  }

  TEST_CASE("Lines have at least as many points as they are asked to") {
    const std::vector<Point> jump{{1, 1}, {2, 2}, {3, 30}, {4, 40}, {5, 50}, {6, 60}};
    CHECK(fit_segments(jump).segments.size() == 2);
    const auto wide = fit_segments(jump, {.points_min = 3});
    for (const auto& segment : wide.segments) CHECK(segment.last - segment.first + 1 >= 3);
    const std::vector<Point> three{{1, 1}, {2, 9}, {3, 2}};
    CHECK(fit_segments(three, {.precision = 0.01, .points_min = 3}).segments.size() == 1);
  }

  TEST_CASE("Points held out of a straight line are met and those beside a jump are not") {
    const auto line = held_out(points_of(sizes, straight));
    CHECK(line.points == sizes.size() - 2);
    CHECK(line.greatest == near(0.0, Absolute{1e-9}));
    CHECK(held_out(points_of(sizes, ethernet)).greatest > 0.01);
  }
}
