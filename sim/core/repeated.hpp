/// What a point's times are when it is played several times with other seeds: a median, and how far the runs spread.
///
///   q-quantile  the shortest time that at least the part q of the runs does not exceed; the median is that of 1/2.
///   Each
///               is the time of a run that was played
///   median      lies between the j-th smallest and the j-th largest of n times, j the largest for which
///               1 - 2 P(B(n, 1/2) < j) >= 0.95        B: binomial; no such j below 6 runs
///
/// Source   Hyndman & Fan, "Sample quantiles in statistical packages", The American Statistician 50(4), 1996,
/// definition
///          1; Hoefler & Belli, "Scientific benchmarking of parallel computing systems", SC 2015, rules 5 to 8; Le
///          Boudec, "Performance evaluation of computer and communication systems", 2010, section 2.2
/// Valid    times of different seeds are independent
/// Checked  tests/unit/core/repeated_test.cpp
#pragma once

#include <cstddef>
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
RepeatedTime repeated_time(std::string phase, std::vector<Seconds> times);

/// The number of the run that took the median time.
std::size_t median_run(const std::vector<Seconds>& times);

struct Repeats {
  std::vector<std::int64_t> seeds;  ///< [runs]
  std::int64_t shown = 0;           ///< seed of the run that took the median time as a whole
  std::vector<RepeatedTime> times;  ///< of the run, then of its phases by their first start

  const RepeatedTime* of_phase(const std::string& phase) const {
    for (const auto& time : times)
      if (time.phase == phase) return &time;
    return nullptr;
  }
};

}  // namespace orrery
