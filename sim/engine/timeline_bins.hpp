/// Timelines of a whole run of any length: for each row the longest activity of each bin.
///
/// When a run outgrows the covered time, bins double by merging neighbours, as in ActivityShares.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/core/replay_result.hpp"

namespace orrery::engine {

class TimelineBins {
 public:
  explicit TimelineBins(std::size_t rows);

  void add(std::size_t row, Activity activity, double begin, double end, std::uint32_t phase) {
    while (end > width_ * static_cast<double>(bins_)) coarsen();
    fill(row, static_cast<std::size_t>(activity), begin, end, phase);
  }
  /// [rows]; consecutive bins with the same activity in the same phase are one interval. Bins become wider until there
  /// are at most `intervals_max` intervals, or one per row.
  std::vector<std::vector<Interval>> timelines(double makespan, std::size_t intervals_max);
  double width() const { return width_; }  ///< s, of a bin

 private:
  struct Bin {
    std::array<float, activities> seconds{};
    std::uint32_t phase = 0;
  };
  void fill(std::size_t row, std::size_t activity, double begin, double end, std::uint32_t phase);
  void coarsen();
  std::vector<Interval> timeline(std::size_t row, double makespan) const;

  std::size_t rows_, bins_;  ///< bins of a row: a power of two
  double width_ = 0x1p-30;
  std::vector<Bin> all_;  ///< [rows x bins]
};

}  // namespace orrery::engine
