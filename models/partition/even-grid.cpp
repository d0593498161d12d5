/// The most square grid of P x Q = p equal rectangles, P <= Q rows of Q, rank = row * Q + column.
///
/// Speeds are ignored. A boundary i of Q is at floor(i n / Q), so remainders are spread and sizes differ by at most one
/// block. A prime p gives one row of p columns.
///
/// Checked  tests/unit/models/partition/even_grid_test.cpp, tests/contract/every_partitioner_test.cpp
#include "models/partition/apportion.hpp"
#include "models/partition/partitioner.hpp"

namespace orrery::even_grid_partitioner {

namespace {

std::uint32_t boundary(std::uint32_t i, std::uint32_t parts, std::uint32_t blocks) {
  return static_cast<std::uint32_t>(std::uint64_t{i} * blocks / parts);
}

Partition even_grid(const PartitionProblem& problem) {
  check_speeds("even-grid", problem.speeds);
  const auto [columns, rows] = problem.grid;
  const std::uint32_t ranks = problem.ranks();
  std::uint32_t down = 1;
  for (std::uint32_t d = 1; std::uint64_t{d} * d <= ranks; ++d)
    if (ranks % d == 0) down = d;
  const std::uint32_t across = ranks / down;
  Partition partition{columns, rows, {}};
  for (std::uint32_t i = 0; i < down; ++i)
    for (std::uint32_t j = 0; j < across; ++j) {
      const std::uint32_t x = boundary(j, across, columns), y = boundary(i, down, rows);
      partition.rectangles.push_back({x, y, boundary(j + 1, across, columns) - x, boundary(i + 1, down, rows) - y});
    }
  return partition;
}

const bool entered = partitioners().add({
    .name = "even-grid",
    .summary = "the most nearly square grid of equal rectangles, ignoring speeds",
    .source = "the homogeneous arrangement of Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, figure 7",
    .asks = PartitionerEntry::Asks::nothing,
    .make = even_grid,
});

}  // namespace

}  // namespace orrery::even_grid_partitioner
