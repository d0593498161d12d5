#include "models/stats/segments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "models/stats/sample.hpp"
#include "sim/core/error.hpp"
#include "sim/core/portable_math.hpp"

namespace orrery::stats {

namespace {

constexpr double parameters_per_segment = 3.0, confidence = 0.95;

/// Sums of weighted powers up to each point: a line through any run of points in constant time.
class Sums {
 public:
  explicit Sums(std::span<const Point> points) : at_(points.size() + 1) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto [x, y] = points[i];
      const double w = 1.0 / (y * y);
      at_[i + 1] = at_[i];
      for (const auto& [sum, term] : {std::pair(&At::w, w),
                                      {&At::wx, w * x},
                                      {&At::wxx, w * x * x},
                                      {&At::wy, w * y},
                                      {&At::wxy, w * x * y},
                                      {&At::wyy, 1.0}})
        at_[i + 1].*sum += term;
    }
  }

  /// The line through points first..last, and its sum of squares.
  std::pair<Segment, double> line(std::size_t first, std::size_t last) const {
    const At &a = at_[first], &b = at_[last + 1];
    const double w = b.w - a.w, wx = b.wx - a.wx, wxx = b.wxx - a.wxx, wy = b.wy - a.wy, wxy = b.wxy - a.wxy;
    const std::size_t n = last - first + 1;
    const double determinant = w * wxx - wx * wx;
    Segment found{.first = first, .last = last};
    Line& line = found.line;
    line.slope = determinant > 0.0 ? (w * wxy - wx * wy) / determinant : 0.0;
    line.intercept = (wy - line.slope * wx) / w;
    const double squares = std::max(0.0, (b.wyy - a.wyy) - line.intercept * wy - line.slope * wxy);
    found.deviation = std::sqrt(squares / static_cast<double>(n));
    found.intercept_within = found.slope_within = std::numeric_limits<double>::infinity();
    if (n > 2 && determinant > 0.0) {
      const double factor = student_t(confidence, n - 2) * std::sqrt(squares / static_cast<double>(n - 2));
      found.intercept_within = factor * std::sqrt(wxx / determinant);
      found.slope_within = factor * std::sqrt(w / determinant);
    }
    return {found, squares};
  }

 private:
  struct At {
    double w = 0, wx = 0, wxx = 0, wy = 0, wxy = 0, wyy = 0;
  };
  std::vector<At> at_;
};

/// best[k][i]: the least squares of the first i points in k + 1 lines, and where the last of them begins.
struct Best {
  double squares = std::numeric_limits<double>::infinity();
  std::size_t begin = 0;
};

std::vector<std::vector<Best>> partitions(const Sums& sums, std::size_t points, std::size_t segments_max,
                                          std::size_t points_min) {
  std::vector<std::vector<Best>> best(segments_max, std::vector<Best>(points + 1));
  for (std::size_t end = points_min; end <= points; ++end) best[0][end] = {sums.line(0, end - 1).second, 0};
  for (std::size_t k = 1; k < segments_max; ++k)
    for (std::size_t end = (k + 1) * points_min; end <= points; ++end)
      for (std::size_t begin = k * points_min; begin + points_min <= end; ++begin) {
        const double squares = best[k - 1][begin].squares + sums.line(begin, end - 1).second;
        if (squares < best[k][end].squares) best[k][end] = {squares, begin};
      }
  return best;
}

}  // namespace

double SegmentedFit::operator()(double x) const {
  const auto after = std::ranges::upper_bound(begins, x);
  const auto segment = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after - begins.begin() - 1, 0));
  return segments[segment](x);
}

SegmentedFit fit_segments(std::span<const Point> points, const Segmenting& options) {
  if (options.points_min < 2 || points.size() < options.points_min)
    throw DomainError("fit: {} points make no line of {} (at least 2). Measure more sizes?", points.size(),
                      options.points_min);
  const std::size_t n = points.size();
  const auto count = static_cast<double>(n);
  const std::size_t segments_max = std::max<std::size_t>(1, std::min(options.segments_max, n / options.points_min));
  const Sums sums(points);
  const auto best = partitions(sums, n, segments_max, options.points_min);
  std::size_t chosen = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < segments_max; ++k) {
    const double squares = std::max(best[k][n].squares / count, options.precision * options.precision);
    const double criterion =
        count * portable::log(squares) + parameters_per_segment * static_cast<double>(k + 1) * portable::log(count);
    if (criterion < least) least = criterion, chosen = k;
  }
  SegmentedFit fit;
  fit.deviation = std::sqrt(best[chosen][n].squares / count);
  for (std::size_t k = chosen + 1, end = n; k-- > 0;) {
    const std::size_t begin = best[k][end].begin;
    fit.segments.insert(fit.segments.begin(), sums.line(begin, end - 1).first);
    end = begin;
  }
  for (const auto& segment : fit.segments) fit.begins.push_back(points[segment.first].x);
  return fit;
}

HeldOut held_out(std::span<const Point> points, const Segmenting& options) {
  constexpr std::size_t turns = 3;
  std::vector<double> deviations;
  for (std::size_t turn = 0; turn < turns; ++turn) {
    std::vector<Point> kept, left;
    for (std::size_t i = 0; i < points.size(); ++i)
      (i % turns == turn && i > 0 && i + 1 < points.size() ? left : kept).push_back(points[i]);
    if (kept.size() < options.points_min || left.empty()) continue;
    const SegmentedFit fit = fit_segments(kept, options);
    for (const auto& [x, y] : left) deviations.push_back(std::abs(fit(x) / y - 1.0));
  }
  if (deviations.empty()) return {};
  return {median(deviations), std::ranges::max(deviations), deviations.size()};
}

}  // namespace orrery::stats
