/// What kernels on a partition ask of it, with the messages in one place.
#pragma once

#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace orrery {

/// Throws InputError when the input has no partition, or one of another size or number of ranks. `things` names what is
/// partitioned ("points"), `parameter` the kernel's parameter that says how many.
void require_partition(const KernelInput& input, const GridSize& grid, const std::string& kernel,
                       const std::string& things, const std::string& parameter);

/// Shares of a grid at which to measure a speed: 1, 2, 4, ... rows of its whole width up to all rows, or squares of
/// 1, 2, 4, ... blocks up to the lesser side.
std::vector<ShareSize> measured_rows(const GridSize& grid);
std::vector<ShareSize> measured_squares(const GridSize& grid);

/// Consecutive rows of a grid that is one column wide: what a rank has of something in a row. Ranks may stand in any
/// order; `order` lists those that have anything, from the first row to the last.
struct Line {
  explicit Line(const Partition& partition);

  std::uint64_t size(Rank rank) const { return sizes[index(rank)]; }

  std::vector<std::uint64_t> sizes;  ///< [ranks]
  std::vector<Rank> order;
};

}  // namespace orrery
