/// Rounds of a partitioner that measures: which shares ran, how long they took, and what was known before.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/core/partition.hpp"
#include "sim/core/units.hpp"

namespace orrery {

/// A measured point of a speed function: `speed` units of size per second at that size.
struct SpeedPoint {
  double size = 0.0, speed = 0.0;

  bool operator==(const SpeedPoint&) const = default;
};

/// A benchmark in which all ranks ran their shares at the same time.
struct BenchmarkRun {
  std::vector<Seconds> times;  ///< [ranks] of one iteration on its share; 0 for an empty share
  Seconds cost;                ///< time of the longest, after the cut-off
};

/// One round of a partitioner that measures while it divides, or one measurement of a partitioner that measures first.
struct PartitionRound {
  std::vector<ShareSize> shares;  ///< [ranks] that were run
  BenchmarkRun run;
  Seconds cut_off = Seconds(std::numeric_limits<double>::infinity());  ///< after which a benchmark was ended
  /// [ranks] speed functions by height at the width of the shares, which were chosen by them; empty in a first round.
  std::vector<std::vector<SpeedPoint>> known;
  Seconds predicted;        ///< common time predicted from `known`: the inverse of the slope of the line; 0: none
  double imbalance = 0.0;   ///< max |t_i - t_j| / t_i
  std::uint32_t outer = 0;  ///< for a partitioner in two dimensions: earlier balancings of the widths
  std::uint32_t columns = 1;  ///< columns of ranks that ran; the other ranks have no share and wait
};

}  // namespace orrery
