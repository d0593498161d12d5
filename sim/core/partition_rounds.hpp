/// What a partitioner that measures tells of each of its rounds: who ran what, how long, and what was known before.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "sim/core/partition.hpp"
#include "sim/core/units.hpp"

namespace orrery {

/// A measured point of a speed function: so many units of size per second at that size.
struct SpeedPoint {
  double size = 0.0, speed = 0.0;

  bool operator==(const SpeedPoint&) const = default;
};

/// All ranks ran their shares at once.
struct BenchmarkRun {
  std::vector<Seconds> times;  ///< [ranks] of one iteration on its share; 0 for an empty share
  Seconds cost;                ///< of the longest, cut off
};

/// One round of a partitioner that measures while it divides, or one measurement of a partitioner that measures before.
struct PartitionRound {
  std::vector<ShareSize> shares;  ///< [ranks] that were run
  BenchmarkRun run;
  Seconds cut_off = Seconds(std::numeric_limits<double>::infinity());  ///< after which a benchmark was ended
  /// [ranks] by height at the width of the shares, by which they were chosen; empty in a first round, which knows none.
  std::vector<std::vector<SpeedPoint>> known;
  Seconds predicted;        ///< common time by what was known: the inverse of the slope of the line; 0: none
  double imbalance = 0.0;   ///< max |t_i - t_j| / t_i
  std::uint32_t outer = 0;  ///< of a partitioner in two dimensions: how often widths had been balanced before
  std::uint32_t columns = 1;  ///< of ranks that were run; the others wait, without a share
};

}  // namespace orrery
