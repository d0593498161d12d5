/// The activities of all ranks over time: for each activity the share of their time, in equal bins.
///
/// When a run outgrows the covered time, the bins double in width and neighbours merge. Memory does not depend on the
/// length of the run or on the number of ranks.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sim/core/replay_result.hpp"

namespace orrery::engine {

class ActivityShares {
 public:
  void add(Activity activity, double begin, double end) {
    while (end > width_ * bins) double_width();
    std::array<double, bins>& seconds = seconds_[static_cast<std::size_t>(activity)];
    const auto first = static_cast<std::size_t>(begin * per_second_);
    const auto last = std::min(bins - 1, static_cast<std::size_t>(end * per_second_));
    if (first == last) {
      seconds[last] += end - begin;
      return;
    }
    seconds[first] += static_cast<double>(first + 1) * width_ - begin;
    std::array<std::int32_t, bins>& begun = whole_begun_[static_cast<std::size_t>(activity)];
    ++begun[first + 1];
    --begun[last];
    seconds[last] += end - static_cast<double>(last) * width_;
  }

  /// Shares of the ranks' time in `asked` equal bins over [0, makespan].  [activities][asked]
  std::vector<std::vector<double>> shares(std::uint32_t ranks, double makespan, std::uint32_t asked) const;

 private:
  static constexpr std::size_t bins = 1024;  // finer than the result, so that resampling stays accurate
  void double_width();

  /// The cost of an interval does not depend on its length: its ends are seconds in their bins, and full bins are
  /// counted as changes, from the first to the one before the last.
  std::array<std::array<double, bins>, activities> seconds_{};
  std::array<std::array<std::int32_t, bins>, activities> whole_begun_{};
  double width_ = 0x1p-30;  ///< s, a power of two: so that times and bins convert exactly
  double per_second_ = 0x1p30;
};

}  // namespace orrery::engine
