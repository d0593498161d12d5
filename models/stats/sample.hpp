/// Statistics of a sample of one quantity: its median, the confidence in that, quantiles, its mean.
///
///   median      the value in the middle; of an even number the mean of the two in the middle
///   q-quantile  between the values at the places floor and ceil of q (n - 1), counted from 0 in ascending order, by a
///               straight line; the quantile of 1/2 is the median
///   low, high   the j-th smallest and the j-th largest value, j the largest for which the median of all there could be
///               lies between them with  1 - 2 P(B(n, 1/2) < j) >= 0.95        B: binomial, whatever the distribution
///   t           P(|T| <= t) = confidence       T of Student's distribution with so many degrees of freedom
///
/// Source   Hyndman & Fan, "Sample quantiles in statistical packages", The American Statistician 50(4), 1996 (their
///          definition 7); Le Boudec, "Performance evaluation of computer and communication systems", 2010, section 2.2
///          (the interval); Walpole, Myers, Myers & Ye, Probability and Statistics (Student)
/// Valid    values that are independent; numbers, not NaN
/// Checked  tests/unit/models/stats/sample_test.cpp
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace orrery::stats {

/// Of at least one value.
double median(std::vector<double> values);
/// Of at least one value; 0 <= share <= 1.
double quantile(std::vector<double> values, double share);

struct Median {
  double value = 0.0, low = 0.0, high = 0.0;  ///< the smallest and the largest value of fewer than six
};
/// Of at least one value.
Median median_of(std::vector<double> values);
/// Index of `low` among `values` values in ascending order, and of `high` in descending order; empty below six.
std::optional<std::size_t> place_of_low(std::size_t values);

/// `degrees` >= 1, 0 < confidence < 1.
double student_t(double confidence, std::size_t degrees);

struct SampleMean {
  double mean = 0.0, deviation = 0.0;  ///< of a single value, with n - 1
  double half_width = 0.0;             ///< of the mean's own interval: t deviation / sqrt(n)
};
/// Of two values at least.
SampleMean mean_of(std::span<const double> sample, double confidence);

}  // namespace orrery::stats
