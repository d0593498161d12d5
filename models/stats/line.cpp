#include "models/stats/line.hpp"

namespace orrery::stats {

namespace {

double weight_of(const Point& point, Deviations deviations) {
  if (deviations == Deviations::absolute) return 1.0;
  return point.y > 0.0 ? 1.0 / (point.y * point.y) : 0.0;
}

/// Weighted sums of powers.
struct PowerSums {
  double w = 0.0, x = 0.0, y = 0.0, xx = 0.0, xy = 0.0;

  PowerSums(std::span<const Point> points, Deviations deviations) {
    for (const Point& point : points) {
      const double weight = weight_of(point, deviations);
      w += weight, x += weight * point.x, y += weight * point.y;
      xx += weight * point.x * point.x, xy += weight * point.x * point.y;
    }
  }

  Line level() const { return {w > 0.0 ? y / w : 0.0, 0.0}; }
  Line through_origin() const { return {0.0, xx > 0.0 ? xy / xx : 0.0}; }
  Line line() const {
    const double determinant = w * xx - x * x;
    if (determinant <= 1e-12 * w * xx) return level();  // all have one x
    return {(xx * y - x * xy) / determinant, (w * xy - x * y) / determinant};
  }
};

}  // namespace

Line fit_line(std::span<const Point> points, Deviations deviations) { return PowerSums(points, deviations).line(); }

Line fit_rising_line(std::span<const Point> points, Deviations deviations) {
  const PowerSums sums(points, deviations);
  const Line line = sums.line();
  if (line.intercept < 0.0) return sums.through_origin();
  return line.slope < 0.0 ? sums.level() : line;
}

Line fit_line_through_origin(std::span<const Point> points, Deviations deviations) {
  return PowerSums(points, deviations).through_origin();
}

}  // namespace orrery::stats
