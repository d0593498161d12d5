/// Columns of rectangles with areas in proportion to the speeds and the least sum of half-perimeters.
///
///   f(q) = min over r of  f(q - r) + r n sum_{i = q-r+1 .. q} a_i + m            f(0) = 0
///
///   n, m  blocks  1   columns and rows of the grid
///   a_i   1       1   share of the i-th slowest rank: speed / sum of speeds
///   f(q)  blocks  1   least half-perimeter sum of the q slowest ranks; the last column holds r of them
///
/// Columns stand from the fastest ranks to the slowest, left to right, and within a column top to bottom; equal speeds
/// by rank. Arrangements with equal sums (figure 8 of Rico-Gallego et al. 2016 ties with two columns of three): the
/// last column of the recurrence holds as few ranks as possible. Rounding: widths are apportioned to the columns'
/// shares, then heights within each column to the speeds of its ranks (models/partition/apportion.hpp), so that
/// rectangles tile the grid exactly.
///
/// Source   Beaumont, Boudet, Rastello & Robert, IEEE TPDS 12(10), 2001, column-based partitioning
/// Valid    any speeds; a column never holds more ranks than rows, nor are there more columns than the grid has, unless
///          there are more ranks than blocks: then the slowest get empty rectangles, as do ranks of speed 0
/// Checked  tests/unit/models/partition/beaumont_columns_test.cpp, tests/contract/every_partitioner_test.cpp
#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "models/partition/apportion.hpp"
#include "models/partition/partitioner.hpp"

namespace orrery {

namespace {

/// Positive speeds, slowest first; among equals the higher rank first, so that reading backwards goes by rank.
std::vector<std::size_t> slowest_first(std::span<const double> speeds) {
  std::vector<std::size_t> order;
  for (std::size_t r = speeds.size(); r-- > 0;)
    if (speeds[r] > 0.0) order.push_back(r);
  std::ranges::stable_sort(order, {}, [&](std::size_t r) { return speeds[r]; });
  return order;
}

/// The recurrence with at most `members_max` ranks in a column and at most `columns_max` columns (0: no bound).
class ColumnChoice {
 public:
  ColumnChoice(std::vector<double> sums, std::uint32_t columns, std::uint32_t rows)
      : sums_(std::move(sums)), columns_(columns), rows_(rows) {}

  /// Ranks per column, slowest column first.
  std::vector<std::size_t> best() const {
    auto sizes = unbounded();
    return sizes.size() <= columns_ ? sizes : bounded();
  }

 private:
  std::size_t ranks() const { return sums_.size() - 1; }
  double column_cost(std::size_t before, std::size_t after) const {
    return static_cast<double>(after - before) * columns_ * (sums_[after] - sums_[before]) / sums_.back() + rows_;
  }
  /// Equal sums: the later start wins, so a short last column, so rather more columns than taller ones.
  static bool not_above(double cost, double least) { return cost <= least * (1.0 + 1e-12); }
  std::size_t first_start(std::size_t q) const { return q > rows_ ? q - rows_ : 0; }

  std::vector<std::size_t> unbounded() const {
    std::vector<double> least(ranks() + 1, 0.0);
    std::vector<std::size_t> start(ranks() + 1, 0);
    for (std::size_t q = 1; q <= ranks(); ++q) {
      least[q] = std::numeric_limits<double>::infinity();
      for (std::size_t before = first_start(q); before < q; ++before)
        if (const double cost = least[before] + column_cost(before, q); not_above(cost, least[q])) {
          least[q] = cost;
          start[q] = before;
        }
    }
    std::vector<std::size_t> sizes;
    for (std::size_t q = ranks(); q > 0; q = start[q]) sizes.push_back(q - start[q]);
    std::ranges::reverse(sizes);
    return sizes;
  }

  std::vector<std::size_t> bounded() const {
    const double never = std::numeric_limits<double>::infinity();
    std::vector<double> least(ranks() + 1, never);
    least[0] = 0.0;
    std::vector<std::vector<std::size_t>> start;
    for (std::uint32_t c = 0; c < columns_; ++c) {
      std::vector<double> next(ranks() + 1, never);
      std::vector<std::size_t>& from = start.emplace_back(ranks() + 1, 0);
      next[0] = 0.0;
      for (std::size_t q = 1; q <= ranks(); ++q)
        for (std::size_t before = first_start(q); before < q; ++before)
          if (const double cost = least[before] + column_cost(before, q); not_above(cost, next[q])) {
            next[q] = cost;
            from[q] = before;
          }
      least = std::move(next);
    }
    std::vector<std::size_t> sizes;
    std::size_t q = ranks();
    for (std::uint32_t c = columns_; q > 0; q = start[c][q]) sizes.push_back(q - start[--c][q]);
    std::ranges::reverse(sizes);
    return sizes;
  }

  std::vector<double> sums_;  ///< [ranks + 1] prefix sums of the ascending speeds
  std::uint32_t columns_, rows_;
};

Partition beaumont_columns(std::uint32_t columns, std::uint32_t rows, std::span<const double> speeds) {
  check_speeds("beaumont-columns", speeds);
  Partition partition{columns, rows, std::vector<Rectangle>(speeds.size())};
  auto order = slowest_first(speeds);
  const std::uint64_t blocks = std::uint64_t{columns} * rows;
  if (order.size() > blocks) order.erase(order.begin(), order.end() - static_cast<std::ptrdiff_t>(blocks));
  std::vector<double> sums{0.0};
  for (const std::size_t r : order) sums.push_back(sums.back() + speeds[r]);
  auto sizes = ColumnChoice(sums, columns, rows).best();
  std::ranges::reverse(sizes);
  std::ranges::reverse(order);  // fastest first from here on

  std::vector<double> weights;
  std::vector<std::vector<double>> members;
  for (std::size_t c = 0, at = 0; c < sizes.size(); at += sizes[c], ++c) {
    auto& column = members.emplace_back();
    for (std::size_t i = 0; i < sizes[c]; ++i) column.push_back(speeds[order[at + i]]);
    weights.push_back(std::accumulate(column.begin(), column.end(), 0.0));
  }
  const auto widths = apportion(columns, weights);
  std::uint32_t x = 0;
  auto next = order.begin();
  for (std::size_t c = 0; c < sizes.size(); x += widths[c], ++c) {
    std::uint32_t y = 0;
    for (const std::uint32_t height : apportion(rows, members[c])) {
      partition.rectangles[*next++] = {x, y, widths[c], height};
      y += height;
    }
  }
  return partition;
}

const bool entered = partitioners().add({
    .name = "beaumont-columns",
    .summary = "columns of rectangles with areas in proportion to speed and the least total half-perimeter",
    .source = "Beaumont, Boudet, Rastello & Robert, IEEE TPDS 12(10), 2001",
    .make = beaumont_columns,
});

}  // namespace

}  // namespace orrery
