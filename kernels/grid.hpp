/// Neighbours in a partition: columns of equal rectangles, overlaps of rows, common edges.
///
/// Columns and edges are found once, when a kernel is made; row overlaps by binary search, once per pair of columns.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/partition.hpp"

namespace orrery {

/// Ranks whose rectangles are in the same columns of blocks (same x and width), without empty ones.
struct PartitionColumn {
  std::uint32_t x = 0, width = 0;
  std::vector<Rank> by_rank;  ///< ascending rank: the order of the column's communicator
  std::vector<Rank> by_row;   ///< ascending y: the owners of the rows

  bool has_column(std::uint32_t column) const { return x <= column && column < x + width; }
};

/// The columns of a partition, left to right. Empty, with the reason in `defect`, if it does not consist of adjacent
/// columns that reach from the first row to the last.
std::vector<PartitionColumn> partition_columns(const Partition& partition, std::string& defect);

/// A rank, and its number of rows (or columns) in common with another.
struct Overlap {
  Rank peer{};
  std::uint32_t count = 0;
};

/// Appends the members of `column` that share rows with `mine`, top to bottom.
void append_row_overlaps(const Partition& partition, const PartitionColumn& column, const Rectangle& mine,
                         std::vector<Overlap>& into);

/// Ranks whose rectangles touch along an edge, with the length of that edge; ascending peers.  [ranks]
std::vector<std::vector<Overlap>> edge_neighbours(const Partition& partition);

}  // namespace orrery
