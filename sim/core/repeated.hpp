/// What a point's times are when it is played several times with other seeds.
///
///   mean      +- t(n - 1, 0.975) s / sqrt(n)        s: standard deviation of the n times; Student's t
///   median    between the j-th smallest and the j-th largest of them, j the largest for which
///             1 - 2 P(B(n, 1/2) < j) >= 0.95        B: binomial; no such j below 6 runs
///
/// Source   Hoefler & Belli, "Scientific benchmarking of parallel computing systems", SC 2015, rules 5 to 8; Le Boudec,
///          "Performance evaluation of computer and communication systems", 2010, section 2.2
/// Valid    times of different seeds are independent; the mean's interval wants them near to normal, the median's not
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/units.hpp"

namespace orrery {

/// Holds the true value in 95 of 100 experiments.
struct Confidence {
  Seconds least, most;
};

struct RepeatedTime {
  std::string phase;           ///< empty: the whole run
  std::vector<Seconds> times;  ///< [runs], at least 2
  Seconds mean, median;
  Confidence mean_within;
  std::optional<Confidence> median_within;
};

struct Repeats {
  std::vector<std::int64_t> seeds;  ///< [runs]
  std::vector<RepeatedTime> times;  ///< of the run, then of its phases by their first start

  const RepeatedTime* of_phase(const std::string& phase) const {
    for (const auto& time : times)
      if (time.phase == phase) return &time;
    return nullptr;
  }
};

}  // namespace orrery
