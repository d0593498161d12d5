/// Partitions as text, `.2dist`: one line per rank, in rank order. For reading and writing.
///
///   #size 6                     ranks
///   #N 256                      columns and rows of the grid (`#N 256 128` when they differ)
///   #kb 32                      elements along one side of a block
///   #host rank_intra i j x y w h w*h mem time
///   n0    0          0 1 124 0 97 134 12998 0 0
///
/// host, rank_intra  node and number of the rank on it; i, j  place in its column, and column (derived: not read back)
/// x, y, w, h        the rectangle in blocks; mem, time  bytes and seconds the maker measured, 0 if it did not
///
/// Source   the format of the partitions behind Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, figures 8 and 10
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/partition.hpp"

namespace orrery::config {

struct Dist2Process {
  std::string host;
  std::uint32_t rank_on_host = 0;
  double memory_B = 0.0, time_s = 0.0;
};

struct Dist2 {
  std::uint32_t block = 1;
  Partition partition;
  std::vector<Dist2Process> processes;  ///< [ranks]
  bool has_block = false;               ///< the file has the block
};

/// Throws InputError with file and line: a missing header, a wrong number of fields or ranks, w*h that is not the
/// product, a rectangle outside the grid, overlapping rectangles, blocks without an owner.
Dist2 read_dist2(const std::string& file);
Dist2 parse_dist2(const std::string& text, const std::string& file);

std::string dist2_text(const Dist2& dist2);

}  // namespace orrery::config
