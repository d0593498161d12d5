#include "validation/compute/sampling.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace orrery::rates {

Sample sampled(const std::function<double()>& measure, const Sampling& sampling) {
  Sample sample;
  for (std::size_t i = 0; i < sampling.size; ++i) sample.values.push_back(measure());
  const double t = student_t(sampling.confidence, sampling.size - 1);
  for (;;) {
    const SampleMean of = mean_of(sample.values, sampling.confidence);
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

Line line_through(const std::vector<Point>& points, bool relative) {
  assert(points.size() >= 2);
  double weights = 0.0, x_mean = 0.0, y_mean = 0.0;
  const auto weight = [&](const Point& p) { return relative ? 1.0 / (p.y * p.y) : 1.0; };
  for (const Point& p : points) {
    weights += weight(p);
    x_mean += weight(p) * p.x;
    y_mean += weight(p) * p.y;
  }
  x_mean /= weights;
  y_mean /= weights;
  double xx = 0.0, xy = 0.0;
  for (const Point& p : points) {
    xx += weight(p) * (p.x - x_mean) * (p.x - x_mean);
    xy += weight(p) * (p.x - x_mean) * (p.y - y_mean);
  }
  const double slope = xx > 0.0 ? xy / xx : 0.0;
  return {y_mean - slope * x_mean, slope};
}

IterationRate iteration_rate(const std::function<double(std::uint64_t)>& run, const IterationWish& wish) {
  IterationRate rate;
  std::vector<Point> means;
  for (std::uint64_t k = 2; k <= wish.sampled_max; k *= 2) {
    const Sample sample = sampled([&] { return run(k); }, wish.sampling);
    const SampleMean of = mean_of(sample.values, wish.sampling.confidence);
    rate.sampled.push_back({k, of.mean, of.deviation, 0.0, sample.again, sample.settled});
    means.push_back({static_cast<double>(k), of.mean});
  }
  rate.line = line_through(means);
  for (CountedTime& counted : rate.sampled) counted.predicted = rate.line(static_cast<double>(counted.iterations));
  for (std::uint64_t k = 2; k <= wish.predicted_max; k *= 2) {
    const double predicted = rate.line(static_cast<double>(k));
    if (predicted > wish.seconds_max) break;
    rate.predicted.push_back({k, run(k), 0.0, predicted});
  }
  return rate;
}

}  // namespace orrery::rates
