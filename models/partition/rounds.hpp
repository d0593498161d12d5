/// What partitioners that measure have in common: shares of slices, imbalance, and what is known of each rank so far.
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

/// max |t_i - t_j| / t_i over ranks that had anything to do: (longest - shortest) / shortest.
double imbalance_of(const BenchmarkRun& run);

/// Longest time of a run.
Seconds longest_of(const BenchmarkRun& run);

/// Points of each rank's speed (rows/s) by rows, as far as they were measured; all of them at one width.
class KnownSpeeds {
 public:
  explicit KnownSpeeds(std::size_t ranks) : points_(ranks) {}

  void add(std::size_t rank, SpeedPoint point);
  bool any(std::size_t rank) const { return !points_[rank].empty(); }
  bool any_at_all() const {
    return std::ranges::any_of(points_, [](const auto& points) { return !points.empty(); });
  }
  const std::vector<std::vector<SpeedPoint>>& points() const { return points_; }

  /// Time of a division by the same functions: what is longest.
  Seconds predicted(std::span<const std::uint32_t> rows) const;

  /// Rows that end together by piecewise linear functions through the points. A rank of which nothing is known takes no
  /// part.
  std::vector<std::uint32_t> balanced(std::uint32_t n, const std::vector<bool>& takes_part,
                                      const std::string& partitioner) const;

 private:
  std::vector<std::vector<SpeedPoint>> points_;  ///< [ranks] ascending sizes
};

}  // namespace orrery
