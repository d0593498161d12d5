/// Statistics of a time that was simulated several times with different seeds.
///
///   median     of an even number the mean of the two in the middle (models/stats/sample.hpp)
///   low, high  5 % and 95 %: the shortest time that at least that part of the runs does not exceed, always one that
///              was played
///
/// Source   Hyndman & Fan, "Sample quantiles in statistical packages", The American Statistician 50(4), 1996 (5 % and
///          95 % are their definition 1); Hoefler & Belli, "Scientific benchmarking of parallel computing systems", SC
///          2015, rules 5 to 8
/// Valid    times of different seeds are independent
/// Checked  tests/unit/models/stats/repeated_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/core/repeated.hpp"

namespace orrery::stats {

/// At least one time.
RepeatedTime repeated_time(std::string phase, std::vector<Seconds> times);

/// The index of the run whose time is the median; for an even number the shorter of the two in the middle.
std::size_t median_run(const std::vector<Seconds>& times);

}  // namespace orrery::stats
