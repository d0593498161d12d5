#include "sim/core/repeated.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace orrery {

namespace {

constexpr double outside = 0.05;  // of the confidence interval

/// Number of the quantile among so many times in order.
std::size_t quantile_rank(std::size_t percent, std::size_t times) { return (percent * times + 99) / 100 - 1; }

/// How many of the smallest times, and of the largest, lie outside the confidence interval of the median.
std::optional<std::size_t> confidence_rank(std::size_t n) {
  double below = 0.0, probability = std::pow(0.5, static_cast<double>(n));  // of exactly k of n below the median
  std::optional<std::size_t> rank;
  for (std::size_t k = 0; 2 * k < n; ++k) {
    below += probability;
    if (2.0 * below > outside) break;
    rank = k;
    probability *= static_cast<double>(n - k) / static_cast<double>(k + 1);
  }
  return rank;
}

}  // namespace

RepeatedTime repeated_time(std::string phase, std::vector<Seconds> times) {
  RepeatedTime result;
  result.phase = std::move(phase);
  result.times = times;
  std::ranges::sort(times);
  const std::size_t n = times.size();
  result.median = times[quantile_rank(50, n)];
  result.low = times[quantile_rank(5, n)];
  result.high = times[quantile_rank(95, n)];
  if (const auto rank = confidence_rank(n)) result.median_within = TimeRange{times[*rank], times[n - 1 - *rank]};
  return result;
}

std::size_t median_run(const std::vector<Seconds>& times) {
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t run) { return times[run]; });
  return order[quantile_rank(50, times.size())];
}

}  // namespace orrery
