#include "validation/compute/regimes.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

namespace orrery::rates {

namespace {

constexpr std::size_t least_points = 3;
constexpr double never = std::numeric_limits<double>::infinity();

double squares_of(const std::vector<Point>& points, const Line& line) {
  double sum = 0.0;
  for (const Point& p : points) sum += std::pow((line(p.x) - p.y) / p.y, 2);
  return sum;
}

/// The line through points [from, to) and what is left of them.
struct Piece {
  Line line;
  double squares = 0.0;
};

Piece piece_of(const std::vector<Point>& points, std::size_t from, std::size_t to) {
  const std::vector<Point> some(points.begin() + static_cast<std::ptrdiff_t>(from),
                                points.begin() + static_cast<std::ptrdiff_t>(to));
  const Line line = line_through(some, true);
  return {line, squares_of(some, line)};
}

/// The best divisions of the first points into a number of pieces: their sums, and where the last piece begins.
struct Divisions {
  std::vector<std::vector<double>> squares;      ///< [pieces][points]
  std::vector<std::vector<std::size_t>> begins;  ///< likewise
};

Divisions divisions_of(const std::vector<Point>& points, std::size_t pieces_max) {
  const std::size_t n = points.size();
  Divisions best{std::vector(pieces_max + 1, std::vector(n + 1, never)),
                 std::vector(pieces_max + 1, std::vector<std::size_t>(n + 1, 0))};
  best.squares[0][0] = 0.0;
  for (std::size_t from = 0; from + least_points <= n; ++from)
    for (std::size_t to = from + least_points; to <= n; ++to) {
      const double squares = piece_of(points, from, to).squares;
      for (std::size_t pieces = 1; pieces <= pieces_max; ++pieces) {
        const double sum = best.squares[pieces - 1][from] + squares;
        if (!(sum < best.squares[pieces][to])) continue;
        best.squares[pieces][to] = sum;
        best.begins[pieces][to] = from;
      }
    }
  return best;
}

}  // namespace

std::vector<Regime> regimes_of(const std::vector<Point>& points, double noise, std::size_t regimes_max) {
  assert(points.size() >= least_points);
  const std::size_t n = points.size();
  const Divisions best = divisions_of(points, std::min(regimes_max, n / least_points));
  const auto count = static_cast<double>(n);
  std::size_t chosen = 1;
  double least = never;
  for (std::size_t pieces = 1; pieces < best.squares.size(); ++pieces) {
    const double mean = std::max(best.squares[pieces][n] / count, noise * noise);
    const double score = count * std::log(mean) + (3.0 * static_cast<double>(pieces) - 1.0) * std::log(count);
    if (!(score < least)) continue;
    least = score;
    chosen = pieces;
  }
  std::vector<Regime> regimes;
  for (std::size_t pieces = chosen, to = n; pieces > 0; to = best.begins[pieces--][to]) {
    const std::size_t from = best.begins[pieces][to];
    const Piece piece = piece_of(points, from, to);
    const auto of = static_cast<double>(to - from);
    regimes.push_back({points[from].x, points[to - 1].x, piece.line, std::sqrt(piece.squares / of), to - from});
  }
  std::ranges::reverse(regimes);
  return regimes;
}

}  // namespace orrery::rates
