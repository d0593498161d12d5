/// The least longest time of all ways to divide a grid into columns of ranks: nothing but enumeration, to judge what
/// divides in two dimensions. Small cases alone: every width, every height, and every choice of ranks for the columns
/// where these are not given.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "models/partition/partition_problem.hpp"

namespace orrery::test {

class ExactRectangles {
 public:
  explicit ExactRectangles(const PartitionProblem& problem) : problem_(problem) {}

  /// With these ranks in these columns.
  double least_of(const std::vector<std::vector<std::uint32_t>>& columns) const {
    return columns_from(columns, 0, problem_.grid.columns);
  }

  /// With any ranks in so many columns of so many.
  double least_of_all(std::uint32_t columns, std::uint32_t per_column) const {
    std::vector<std::uint32_t> order(problem_.ranks());
    for (std::uint32_t r = 0; r < order.size(); ++r) order[r] = r;
    double least = infinite;
    do {
      std::vector<std::vector<std::uint32_t>> chosen(columns);
      for (std::uint32_t c = 0; c < columns; ++c)
        chosen[c].assign(order.begin() + c * per_column, order.begin() + (c + 1) * per_column);
      // One order of a column is as good as another, and one order of the columns.
      if (std::ranges::all_of(chosen, [](const auto& ranks) { return std::ranges::is_sorted(ranks); }) &&
          std::ranges::is_sorted(chosen))
        least = std::min(least, least_of(chosen));
    } while (std::ranges::next_permutation(order).found);
    return least;
  }

 private:
  static constexpr double infinite = std::numeric_limits<double>::infinity();

  /// Columns from this one on, in so many columns of the grid.
  double columns_from(const std::vector<std::vector<std::uint32_t>>& columns, std::size_t at,
                      std::uint32_t left) const {
    if (at == columns.size()) return left == 0 ? 0.0 : infinite;
    double least = infinite;
    for (std::uint32_t width = 1; width <= left; ++width)
      if (const double here = heights_from(columns[at], 0, width, problem_.grid.rows); here < least)
        least = std::min(least, std::max(here, columns_from(columns, at + 1, left - width)));
    return least;
  }

  /// The ranks from this one on, in so many rows of a column.
  double heights_from(const std::vector<std::uint32_t>& ranks, std::size_t at, std::uint32_t width,
                      std::uint32_t left) const {
    const auto time = [&](std::uint32_t height) {
      return height == 0 ? 0.0 : problem_.time(Rank{ranks[at]}, {double{1} * width, double{1} * height});
    };
    if (at + 1 == ranks.size()) return time(left);
    double least = infinite;
    for (std::uint32_t height = 0; height <= left; ++height)
      if (const double own = time(height); own < least)
        least = std::min(least, std::max(own, heights_from(ranks, at + 1, width, left - height)));
    return least;
  }

  const PartitionProblem& problem_;
};

}  // namespace orrery::test
