#include "models/partition/processor_grid.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace orrery {

namespace {

std::uint32_t columns_for(GridSize grid, std::uint32_t ranks) {
  std::uint32_t best = 1;
  const auto badness = [&](std::uint32_t columns) {
    const std::uint32_t rows = ranks / columns;
    return std::tuple(columns > grid.columns || rows > grid.rows,
                      double{1} * grid.columns / columns + double{1} * grid.rows / rows);
  };
  for (std::uint32_t columns = 2; columns <= ranks; ++columns)
    if (ranks % columns == 0 && badness(columns) < badness(best)) best = columns;
  return best;
}

}  // namespace

ProcessorGrid::ProcessorGrid(const PartitionProblem& problem) : columns(columns_for(problem.grid, problem.ranks())) {
  std::vector<std::size_t> order(problem.ranks());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return problem.speeds[i]; });
  for (std::size_t k = 0; k < order.size(); ++k) columns[k % columns.size()].push_back(order[k]);
}

Partition ProcessorGrid::partition(GridSize grid, std::span<const std::uint32_t> widths,
                                   std::span<const std::uint32_t> heights) const {
  Partition partition{grid.columns, grid.rows, std::vector<Rectangle>(heights.size())};
  std::uint32_t x = 0;
  for (std::size_t c = 0; c < columns.size(); x += widths[c], ++c) {
    std::uint32_t y = 0;
    for (const std::size_t rank : columns[c]) {
      partition.rectangles[rank] = {x, y, widths[c], heights[rank]};
      y += heights[rank];
    }
  }
  return partition;
}

}  // namespace orrery
