/// Samples of a time with its outliers measured again, and the rate of a kernel from samples at growing iteration
/// counts.
///
///   |x_i - mean| <= t(confidence, n - 1) s        all x_i of a sample; those beyond are measured again until none is
///   T(k) = overhead + per_iteration k             least squares through the means of samples at k = 2, 4, ... 2^12
///
///   x_i  time of one measurement                  s  deviation of the sample       k  iterations
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, section 4.1
/// Valid    measuring again until all agree is biased, as the source says: a run of unusual first samples is confirmed.
///          More than two of thirty measured again in each sample says that the machine is not quiet
/// Differs  after `again_max` measurements a sample is taken as it is and says so: on a shared machine it might never
///          end
/// Checked  tests/unit/validation/compute_test.cpp
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "models/stats/line.hpp"
#include "models/stats/sample.hpp"

namespace orrery::rates {

struct Sample {
  std::vector<double> values;
  std::size_t again = 0;  ///< how many were measured again
  bool settled = true;    ///< no outlier is left
};

struct Sampling {
  std::size_t size = 30;
  double confidence = 0.95;
  std::size_t again_max = 300;
};

/// `measure()` in any unit.
Sample sampled(const std::function<double()>& measure, const Sampling& sampling = {});

/// One iteration count: what was measured there, and what the line says of it.
struct CountedTime {
  std::uint64_t iterations = 0;
  double seconds = 0.0;    ///< of all its iterations; mean of the sample, or one run
  double deviation = 0.0;  ///< of a sample; 0 of one run
  double predicted = 0.0;
  std::size_t again = 0;
  bool settled = true;

  double error() const { return (predicted - seconds) / seconds; }
};

struct IterationRate {
  std::vector<CountedTime> sampled;    ///< 2 .. 2^12
  std::vector<CountedTime> predicted;  ///< single runs, 2 .. 2^24
  stats::Line line;                    ///< seconds by iterations
};

struct IterationWish {
  std::uint64_t sampled_max = 1u << 12, predicted_max = 1u << 24;
  Sampling sampling = {};
  double seconds_max = 1e18;  ///< no single run that the line predicts to take longer is made
};

/// run(k): seconds that k iterations take.
IterationRate iteration_rate(const std::function<double(std::uint64_t)>& run, const IterationWish& wish = {});

}  // namespace orrery::rates
