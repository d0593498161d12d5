#include "models/partition/columns.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "models/partition/apportion.hpp"

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

/// Equal sums: the later start wins, so a short last column, so rather more columns than taller ones.
bool not_above(double cost, double least) { return cost <= least * (1.0 + 1e-12); }

constexpr double no_columns = std::numeric_limits<double>::infinity();

}  // namespace

ColumnArrangements::ColumnArrangements(GridSize grid, std::span<const double> speeds)
    : grid_(grid), speeds_(speeds.begin(), speeds.end()), order_(slowest_first(speeds)) {
  const std::uint64_t blocks = std::uint64_t{grid.columns} * grid.rows;
  if (order_.size() > blocks) order_.erase(order_.begin(), order_.end() - static_cast<std::ptrdiff_t>(blocks));
  for (const std::size_t r : order_) sums_.push_back(sums_.back() + speeds_[r]);
}

double ColumnArrangements::column_cost(std::size_t before, std::size_t after) const {
  return static_cast<double>(after - before) * grid_.columns * (sums_[after] - sums_[before]) / sums_.back() +
         grid_.rows;
}

ColumnArrangements::Sizes ColumnArrangements::best() const {
  auto sizes = unbounded();
  return sizes.size() <= grid_.columns ? sizes : bounded(grid_.columns, false);
}

ColumnArrangements::Sizes ColumnArrangements::best_of(std::uint32_t columns) const {
  const bool room = columns >= 1 && columns <= grid_.columns && columns <= ranks();
  return room ? bounded(columns, true) : Sizes{};
}

ColumnArrangements::Sizes ColumnArrangements::unbounded() const {
  std::vector<double> least(ranks() + 1, 0.0);
  std::vector<std::size_t> start(ranks() + 1, 0);
  for (std::size_t q = 1; q <= ranks(); ++q) {
    least[q] = no_columns;
    for (std::size_t before = first_start(q); before < q; ++before)
      if (const double cost = least[before] + column_cost(before, q); not_above(cost, least[q])) {
        least[q] = cost;
        start[q] = before;
      }
  }
  Sizes sizes;
  for (std::size_t q = ranks(); q > 0; q = start[q]) sizes.push_back(q - start[q]);
  std::ranges::reverse(sizes);
  return sizes;
}

/// The recurrence with at most, or exactly, so many columns.
ColumnArrangements::Sizes ColumnArrangements::bounded(std::uint32_t columns, bool exactly) const {
  std::vector<double> least(ranks() + 1, no_columns);
  least[0] = 0.0;
  std::vector<std::vector<std::size_t>> start;
  for (std::uint32_t c = 0; c < columns; ++c) {
    std::vector<double> next(ranks() + 1, no_columns);
    std::vector<std::size_t>& from = start.emplace_back(ranks() + 1, 0);
    if (!exactly) next[0] = 0.0;
    for (std::size_t q = 1; q <= ranks(); ++q)
      for (std::size_t before = first_start(q); before < q; ++before)
        if (const double cost = least[before] + column_cost(before, q); cost < no_columns && not_above(cost, next[q])) {
          next[q] = cost;
          from[q] = before;
        }
    least = std::move(next);
  }
  Sizes sizes;
  if (least[ranks()] == no_columns) return sizes;
  std::size_t q = ranks();
  for (std::uint32_t c = columns; q > 0; q = start[c][q]) sizes.push_back(q - start[--c][q]);
  std::ranges::reverse(sizes);
  return sizes;
}

Partition ColumnArrangements::partition(const Sizes& slowest_first) const {
  Partition partition{grid_.columns, grid_.rows, std::vector<Rectangle>(speeds_.size())};
  const Sizes sizes(slowest_first.rbegin(), slowest_first.rend());
  const std::vector<std::size_t> order(order_.rbegin(), order_.rend());  // fastest first
  std::vector<double> weights;
  std::vector<std::vector<double>> members;
  for (std::size_t c = 0, at = 0; c < sizes.size(); at += sizes[c], ++c) {
    auto& column = members.emplace_back();
    for (std::size_t i = 0; i < sizes[c]; ++i) column.push_back(speeds_[order[at + i]]);
    weights.push_back(std::accumulate(column.begin(), column.end(), 0.0));
  }
  const auto widths = apportion(grid_.columns, weights);
  std::uint32_t x = 0;
  auto next = order.begin();
  for (std::size_t c = 0; c < sizes.size(); x += widths[c], ++c) {
    std::uint32_t y = 0;
    for (const std::uint32_t height : apportion(grid_.rows, members[c])) {
      partition.rectangles[*next++] = {x, y, widths[c], height};
      y += height;
    }
  }
  return partition;
}

}  // namespace orrery
