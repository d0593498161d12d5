/// Segmented regression: straight lines through measured points, and the places where one line follows another.
///
///   minimise  n ln(max(d^2, s^2)) + 3 k ln n      over k and where the k lines begin
///   d^2 = 1/n sum ((y_i - f(x_i)) / y_i)^2
///
///   x_i, y_i   any  points, ascending in x; y > 0
///   f          any  line number j, a_j + b_j x, least squares of relative deviations within its points; lines need not
///                   meet
///   k          1    lines; 3 numbers each (a, b and where it begins), so that the criterion is Bayes's
///   s          1    what measurements repeat to: no line is worth less than that
///
/// Dynamic programming over all divisions of the points, so that the result is the best of all and always the same.
///
/// Source   Bai & Perron, J. Applied Econometrics 18, 2003, section 3 (dynamic programming); Schwarz, Annals of
///          Statistics 6, 1978 (criterion)
/// Valid    at least 2 points in a line; 3 for confidence
/// Checked  tests/unit/models/stats/segments_test.cpp
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "models/stats/line.hpp"

namespace orrery::stats {

struct Segment {
  std::size_t first = 0, last = 0;  ///< of the points, both included
  Line line;
  /// Half of the interval that holds each with a probability of 95 %; infinity if it has two points.
  double intercept_within = 0.0, slope_within = 0.0;
  double deviation = 0.0;  ///< d of its points

  double operator()(double x) const { return line(x); }
};

struct SegmentedFit {
  std::vector<Segment> segments;
  std::vector<double> begins;  ///< [segments] x of the first point of each
  double deviation = 0.0;      ///< d

  /// Value of the segment that contains x; between two segments, that of the earlier one.
  double operator()(double x) const;
};

struct Segmenting {
  std::size_t segments_max = 5;
  double precision = 0.005;    ///< s
  std::size_t points_min = 2;  ///< in each segment; two at least
};

/// At least `points_min` points.
SegmentedFit fit_segments(std::span<const Point> points, const Segmenting& options = {});

/// Relative deviations of points that the fit has not used: each third of the inner points is left out in turn.
struct HeldOut {
  double median = 0.0, greatest = 0.0;
  std::size_t points = 0;
};
HeldOut held_out(std::span<const Point> points, const Segmenting& options = {});

}  // namespace orrery::stats
