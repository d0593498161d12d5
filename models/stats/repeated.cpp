#include "models/stats/repeated.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "models/stats/sample.hpp"

namespace orrery::stats {

namespace {

/// Number of the quantile among so many times in order.
std::size_t quantile_rank(std::size_t percent, std::size_t times) { return (percent * times + 99) / 100 - 1; }

}  // namespace

RepeatedTime repeated_time(std::string phase, std::vector<Seconds> times) {
  RepeatedTime result;
  result.phase = std::move(phase);
  result.times = times;
  std::ranges::sort(times);
  const std::size_t n = times.size();
  std::vector<double> seconds;
  seconds.reserve(n);
  for (const Seconds time : times) seconds.push_back(time.si());
  result.median = Seconds(median(std::move(seconds)));
  result.low = times[quantile_rank(5, n)];
  result.high = times[quantile_rank(95, n)];
  if (const auto place = place_of_low(n)) result.median_within = TimeRange{times[*place], times[n - 1 - *place]};
  return result;
}

std::size_t median_run(const std::vector<Seconds>& times) {
  std::vector<std::size_t> order(times.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t run) { return times[run]; });
  return order[quantile_rank(50, times.size())];
}

}  // namespace orrery::stats
