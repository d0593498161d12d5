/// A point's times if it is run several times with different seeds: the median and the spread of the runs
/// (models/stats/repeated.hpp has the formulas).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/units.hpp"

namespace orrery {

/// The range between two times.
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
  std::int64_t shown = 0;           ///< seed of the run with the median makespan, or the next shorter one
  std::vector<RepeatedTime> times;  ///< of the run, then of its phases by their first start

  const RepeatedTime* of_phase(const std::string& phase) const {
    for (const auto& time : times)
      if (time.phase == phase) return &time;
    return nullptr;
  }
};

}  // namespace orrery
