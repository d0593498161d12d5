/// A point's times when it is played several times with other seeds: a median, and how far the runs spread
/// (models/stats/repeated.hpp says how they are found).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/units.hpp"

namespace orrery {

/// From one time to another.
struct TimeRange {
  Seconds least, most;
};

struct RepeatedTime {
  std::string phase;                       ///< empty: the whole run
  std::vector<Seconds> times;              ///< [runs], at least 1
  Seconds median, low, high;               ///< `low` and `high`: 5 % and 95 % quantiles
  std::optional<TimeRange> median_within;  ///< holds the median of all possible runs in 95 of 100 experiments
};

struct Repeats {
  std::vector<std::int64_t> seeds;  ///< [runs]
  std::int64_t shown = 0;           ///< seed of the run that took the median time as a whole, or the next shorter one
  std::vector<RepeatedTime> times;  ///< of the run, then of its phases by their first start

  const RepeatedTime* of_phase(const std::string& phase) const {
    for (const auto& time : times)
      if (time.phase == phase) return &time;
    return nullptr;
  }
};

}  // namespace orrery
