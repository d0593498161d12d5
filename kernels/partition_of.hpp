/// Checks of kernels on a partition, with the messages in one place.
#pragma once

#include <string>
#include <vector>

#include "kernels/kernel.hpp"

namespace orrery {

/// Throws InputError if the input has no partition, or one of another size or number of ranks. `things` names the
/// partitioned things ("points"), `parameter` the kernel's parameter with their number.
void require_partition(const KernelInput& input, const GridSize& grid, const std::string& kernel,
                       const std::string& things, const std::string& parameter);

/// Shares of a grid at which to measure a speed: 1, 2, 4, ... rows of its whole width up to all rows, or squares of 1,
/// 2, 4, ... blocks up to the shorter side.
std::vector<ShareSize> measured_rows(const GridSize& grid);
std::vector<ShareSize> measured_squares(const GridSize& grid);

/// Consecutive rows of a grid that is one column wide: a rank's part of a sequence. Ranks may be in any order; `order`
/// lists those with a part, from the first row to the last.
struct Line {
  explicit Line(const Partition& partition);

  std::uint64_t size(Rank rank) const { return sizes[index(rank)]; }

  std::vector<std::uint64_t> sizes;  ///< [ranks]
  std::vector<Rank> order;
};

}  // namespace orrery
