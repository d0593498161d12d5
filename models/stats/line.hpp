/// Straight lines of least squares through measured points.
///
///   minimise  sum w_i (y_i - a - b x_i)^2
///
///   w_i  1, or 1 / y_i^2 where deviations are relative: then each decade of sizes counts alike
///   a    intercept, in the unit of y            b  slope
///
/// Checked  tests/unit/models/stats/line_test.cpp
#pragma once

#include <cstdint>
#include <span>

namespace orrery::stats {

struct Point {
  double x = 0.0, y = 0.0;
};

struct Line {
  double intercept = 0.0, slope = 0.0;

  double operator()(double x) const { return intercept + slope * x; }
};

/// Points with y <= 0 have no relative deviation and are ignored for it.
enum class Deviations : std::uint8_t { absolute, relative };

/// A constant if all points have one x. Without points: 0.
Line fit_line(std::span<const Point> points, Deviations deviations);
/// The best line with a >= 0 and b >= 0: for a time with a start and a rate.
Line fit_rising_line(std::span<const Point> points, Deviations deviations);
/// The line with a = 0; a constant if all points have x = 0.
Line fit_line_through_origin(std::span<const Point> points, Deviations deviations);

}  // namespace orrery::stats
