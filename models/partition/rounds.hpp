/// Code shared by partitioners that measure: shares of slices, imbalance, and known speeds of each rank.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "models/partition/partition_problem.hpp"
#include "models/processor/speed_function.hpp"

namespace orrery {

/// Slices across the whole grid.  [ranks]
std::vector<ShareSize> slice_sizes(GridSize grid, std::span<const std::uint32_t> heights);

/// max |t_i - t_j| / t_i over ranks that had work: (longest - shortest) / shortest.
double imbalance_of(const BenchmarkRun& run);

/// Longest time of a run.
Seconds longest_of(const BenchmarkRun& run);

/// Measured points of each rank's speed (rows/s) by rows; all of them at one width.
class KnownSpeeds {
 public:
  explicit KnownSpeeds(std::size_t ranks) : points_(ranks) {}

  void add(std::size_t rank, SpeedPoint point);
  bool any(std::size_t rank) const { return !points_[rank].empty(); }
  bool any_at_all() const {
    return std::ranges::any_of(points_, [](const auto& points) { return !points.empty(); });
  }
  const std::vector<std::vector<SpeedPoint>>& points() const { return points_; }

  /// Time of a division by the same functions: the longest of the ranks.
  Seconds predicted(std::span<const std::uint32_t> rows) const;

  /// Rows that end at the same time by piecewise linear functions through the points. A rank without points takes no
  /// part.
  std::vector<std::uint32_t> balanced(std::uint32_t n, const std::vector<bool>& takes_part,
                                      const std::string& partitioner) const;

 private:
  std::vector<std::vector<SpeedPoint>> points_;  ///< [ranks] ascending sizes
};

}  // namespace orrery
