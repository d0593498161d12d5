/// Ranks as a grid of P rows and Q columns, P Q = p, for partitions whose columns all have the same number of ranks.
///
/// Of the factorisations, those that leave every rank a block come first, then the one whose equal shares have the
/// least half-perimeter, n/Q + m/P; ties go to fewer columns. Ranks are placed row by row from the fastest to the
/// slowest, so that columns have about equal speed and the numbering of ranks does not matter.
///
/// Source   Kalinov & Lastovetsky, JPDC 61(4), 2001 (columns of equally many processors)
/// Differs  the source takes the grid as given
/// Checked  tests/unit/models/partition/two_dimensions_test.cpp
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "models/partition/partition_problem.hpp"

namespace orrery {

struct ProcessorGrid {
  /// [columns][rows] ranks
  std::vector<std::vector<std::size_t>> columns;

  explicit ProcessorGrid(const PartitionProblem& problem);

  /// widths  [columns]      heights  [ranks]
  Partition partition(GridSize grid, std::span<const std::uint32_t> widths,
                      std::span<const std::uint32_t> heights) const;
};

}  // namespace orrery
