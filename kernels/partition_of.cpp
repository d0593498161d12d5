#include "kernels/partition_of.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.hpp"

namespace orrery {

void require_partition(const KernelInput& input, const GridSize& grid, const std::string& kernel,
                       const std::string& things, const std::string& parameter) {
  if (input.partition == nullptr)
    throw InputError("{}: needs a partition of its {}. Name an algorithm?", kernel, things);
  const Partition& partition = *input.partition;
  if (partition.columns != grid.columns || partition.rows != grid.rows)
    throw InputError(
        "{}: the partition is {} x {} {}, the kernel's grid {} x {} (they must agree). Change "
        "'{}'?",
        kernel, partition.columns, partition.rows, things, grid.columns, grid.rows, parameter);
  if (partition.ranks() != input.ranks)
    throw InputError(
        "{}: the partition is for {} ranks, the run has {} (they must agree). Make a partition for {} ranks?", kernel,
        partition.ranks(), input.ranks, input.ranks);
}

namespace {

/// 1, 2, 4, ... below n, and n.
std::vector<double> doubled_to(std::uint32_t n) {
  std::vector<double> sizes;
  for (double size = 1.0; size < n; size *= 2.0) sizes.push_back(size);
  sizes.push_back(n);
  return sizes;
}

}  // namespace

std::vector<ShareSize> measured_rows(const GridSize& grid) {
  std::vector<ShareSize> shares;
  for (const double rows : doubled_to(grid.rows)) shares.push_back({double{1} * grid.columns, rows});
  return shares;
}

std::vector<ShareSize> measured_squares(const GridSize& grid) {
  std::vector<ShareSize> shares;
  for (const double side : doubled_to(std::min(grid.columns, grid.rows))) shares.push_back({side, side});
  return shares;
}

Line::Line(const Partition& partition) {
  for (std::uint32_t rank = 0; rank < partition.ranks(); ++rank) {
    sizes.push_back(partition.rectangles[rank].area());
    if (sizes.back() > 0) order.push_back(Rank{rank});
  }
  std::ranges::stable_sort(order, {}, [&](Rank rank) { return partition.of(rank).y; });
}

}  // namespace orrery
