#include "validation/compute/sampling.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace orrery::rates {

Sample sampled(const std::function<double()>& measure, const Sampling& sampling) {
  Sample sample;
  for (std::size_t i = 0; i < sampling.size; ++i) sample.values.push_back(measure());
  const double t = stats::student_t(sampling.confidence, sampling.size - 1);
  for (;;) {
    const stats::SampleMean of = stats::mean_of(sample.values, sampling.confidence);
    const auto outlier = [&](double value) { return std::abs(value - of.mean) > t * of.deviation; };
    if (std::ranges::none_of(sample.values, outlier)) return sample;
    for (double& value : sample.values) {
      if (!outlier(value)) continue;
      if (sample.again == sampling.again_max) {
        sample.settled = false;
        return sample;
      }
      value = measure();
      ++sample.again;
    }
  }
}

IterationRate iteration_rate(const std::function<double(std::uint64_t)>& run, const IterationWish& wish) {
  IterationRate rate;
  std::vector<stats::Point> means;
  for (std::uint64_t k = 2; k <= wish.sampled_max; k *= 2) {
    const Sample sample = sampled([&] { return run(k); }, wish.sampling);
    const stats::SampleMean of = stats::mean_of(sample.values, wish.sampling.confidence);
    rate.sampled.push_back({k, of.mean, of.deviation, 0.0, sample.again, sample.settled});
    means.push_back({static_cast<double>(k), of.mean});
  }
  rate.line = stats::fit_line(means, stats::Deviations::absolute);
  for (CountedTime& counted : rate.sampled) counted.predicted = rate.line(static_cast<double>(counted.iterations));
  for (std::uint64_t k = 2; k <= wish.predicted_max; k *= 2) {
    const double predicted = rate.line(static_cast<double>(k));
    if (predicted > wish.seconds_max) break;
    rate.predicted.push_back({k, run(k), 0.0, predicted});
  }
  return rate;
}

}  // namespace orrery::rates
