/// Columns of rectangles with areas in proportion to speeds: the ranks of each column, and the resulting rectangles.
///
///   f(q) = min over r of  f(q - r) + r n sum_{i = q-r+1 .. q} a_i + m            f(0) = 0
///
///   n, m  blocks  1   columns and rows of the grid
///   a_i   1       1   share of the i-th slowest rank: speed / sum of speeds
///   f(q)  blocks  1   least half-perimeter sum of the q slowest ranks; the last column holds r of them
///
/// Ranks of speed 0 get nothing, nor do the slowest when there are more ranks than blocks.
///
/// Source   Beaumont, Boudet, Rastello & Robert, IEEE TPDS 12(10), 2001, column-based partitioning
/// Checked  tests/unit/models/partition/beaumont_columns_test.cpp
#pragma once

#include <span>
#include <vector>

#include "sim/core/partition.hpp"

namespace orrery {

class ColumnArrangements {
 public:
  /// At least one speed is positive.
  ColumnArrangements(GridSize grid, std::span<const double> speeds);

  /// Ranks per column, slowest column first.
  using Sizes = std::vector<std::size_t>;

  /// With the smallest sum of half-perimeters.
  Sizes best() const;
  /// The best with exactly `columns` columns; empty if the ranks do not fit into them.
  Sizes best_of(std::uint32_t columns) const;

  /// Columns from the fastest ranks to the slowest, left to right, and within a column top to bottom; equal speeds by
  /// rank. Widths are apportioned by the columns' shares, then heights by the speeds of a column's ranks.
  Partition partition(const Sizes& slowest_first) const;

 private:
  std::size_t ranks() const { return sums_.size() - 1; }
  double column_cost(std::size_t before, std::size_t after) const;
  std::size_t first_start(std::size_t q) const { return q > grid_.rows ? q - grid_.rows : 0; }
  Sizes unbounded() const;
  Sizes bounded(std::uint32_t columns, bool exactly) const;

  GridSize grid_;
  std::vector<double> speeds_;      ///< [all ranks]
  std::vector<std::size_t> order_;  ///< ranks with a share, slowest first
  std::vector<double> sums_{0.0};   ///< [ranks + 1] prefix sums of their speeds
};

}  // namespace orrery
