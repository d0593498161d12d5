#include "models/stats/sample.hpp"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <boost/math/statistics/univariate_statistics.hpp>
#include <cassert>
#include <cmath>
#include <numeric>

namespace orrery::stats {

double median(std::vector<double> values) {
  assert(!values.empty());
  return boost::math::statistics::median(values);
}

double quantile(std::vector<double> values, double share) {
  assert(!values.empty() && share >= 0.0 && share <= 1.0);
  std::ranges::sort(values);
  const double at = share * (static_cast<double>(values.size()) - 1.0);
  const auto below = static_cast<std::size_t>(at);
  const std::size_t above = std::min(below + 1, values.size() - 1);
  return values[below] + (at - static_cast<double>(below)) * (values[above] - values[below]);
}

std::optional<std::size_t> place_of_low(std::size_t values) {
  constexpr double outside = 0.025;  // on each side
  const boost::math::binomial below(static_cast<double>(values), 0.5);
  if (values == 0 || cdf(below, 0.0) > outside) return std::nullopt;
  auto place = static_cast<std::size_t>(boost::math::quantile(below, outside));
  while (cdf(below, static_cast<double>(place)) > outside) --place;
  while (cdf(below, static_cast<double>(place + 1)) <= outside) ++place;
  return place;
}

Median median_of(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t low = place_of_low(values.size()).value_or(0);
  return {median(values), values[low], values[values.size() - 1 - low]};
}

double student_t(double confidence, std::size_t degrees) {
  assert(degrees >= 1 && confidence > 0.0 && confidence < 1.0);
  const boost::math::students_t distribution(static_cast<double>(degrees));
  return boost::math::quantile(boost::math::complement(distribution, (1.0 - confidence) / 2.0));
}

SampleMean mean_of(std::span<const double> sample, double confidence) {
  assert(sample.size() >= 2);
  const auto n = static_cast<double>(sample.size());
  SampleMean found{.mean = std::accumulate(sample.begin(), sample.end(), 0.0) / n};
  double squares = 0.0;
  for (const double value : sample) squares += (value - found.mean) * (value - found.mean);
  found.deviation = std::sqrt(squares / (n - 1.0));
  found.half_width = student_t(confidence, sample.size() - 1) * found.deviation / std::sqrt(n);
  return found;
}

}  // namespace orrery::stats
