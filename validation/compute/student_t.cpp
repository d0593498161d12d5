#include "validation/compute/student_t.hpp"

#include <boost/math/distributions/students_t.hpp>
#include <cassert>
#include <cmath>
#include <numeric>

namespace orrery::rates {

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

}  // namespace orrery::rates
