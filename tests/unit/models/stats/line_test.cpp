#include "models/stats/line.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::stats;
using test::near;

namespace {

using Points = std::vector<Point>;
constexpr auto absolute = Deviations::absolute, relative = Deviations::relative;

}  // namespace

TEST_SUITE("models/stats") {
  TEST_CASE("A line through points of a line is that line") {
    for (const auto deviations : {absolute, relative})
      for (const auto fit : {&fit_line, &fit_rising_line}) {
        const Line line = fit(Points{{1, 12}, {10, 30}, {1000, 2010}}, deviations);
        CHECK(line.intercept == near(10));
        CHECK(line.slope == near(2));
        CHECK(line(100.0) == near(210));
      }
  }

  TEST_CASE("A line through points beside a line is that of least squares") {
    const Line line = fit_line(Points{{0, 0}, {1, 1}, {2, 5}}, absolute);  // worked out by hand
    CHECK(line.slope == near(2.5));
    CHECK(line.intercept == near(-0.5));
    const Line two = fit_line(Points{{0, 1}, {2, 4}}, relative);
    CHECK(two.slope == near(1.5));
    CHECK(two.intercept == near(1));
    // Level, by relative deviations: sum (1/y) / sum (1/y^2) of 1 and 2.
    CHECK(fit_line(Points{{3, 1}, {3, 2}}, relative).intercept == near(1.5 / 1.25));
    CHECK(fit_line(Points{{3, 1}, {3, 2}}, absolute).intercept == near(1.5));
  }

  TEST_CASE("By relative deviations each decade of sizes counts alike") {
    const Points points{{1, 1}, {10, 10}, {1000, 1500}};
    CHECK(fit_line(points, relative)(1.0) == near(1.0, 0.15));
    CHECK(fit_line(points, absolute)(1.0) < 0.0);
  }

  TEST_CASE("A rising line never has a negative part and is then the best of those left") {
    const Line from_origin = fit_rising_line(Points{{1, 1}, {2, 4}}, absolute);
    CHECK(from_origin.intercept == 0.0);
    CHECK(from_origin.slope == near((1.0 + 8.0) / 5.0));
    const Line level = fit_rising_line(Points{{1, 4}, {2, 1}}, absolute);
    CHECK(level.slope == 0.0);
    CHECK(level.intercept == near(2.5));
    CHECK(fit_rising_line(Points{{1, 1}, {2, 4}}, relative).slope == near((1.0 + 0.5) / (1.0 + 0.25)));
  }

  TEST_CASE("Of one point the line is level and of none it is 0") {
    CHECK(fit_rising_line(Points{{5, 3}}, relative).intercept == near(3));
    CHECK(fit_rising_line(Points{{5, 3}}, relative).slope == 0.0);
    CHECK(fit_line(Points{}, absolute).intercept == 0.0);
    CHECK(fit_line_through_origin(Points{{0, 1}}, absolute).slope == 0.0);
    CHECK(fit_line(Points{{1, -2}, {2, 4}}, relative).intercept == near(4));  // times of 0 and less count nothing
  }
}
