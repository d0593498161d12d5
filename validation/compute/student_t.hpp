/// Student's t distribution: how far the values of a small sample may lie from its mean before they are outliers, and
/// how well its mean is known.
///
///   P(|T| <= t) = confidence       T of `degrees` degrees of freedom
///
/// Source   Walpole, Myers, Myers & Ye, Probability and Statistics, as Meyer's thesis (section 4.1) uses it
/// Differs  the source integrates the density by trapezoids of 1e-4 with its own tgamma; this is Boost.Math's inverse
/// Checked  tests/unit/validation/compute_test.cpp
#pragma once

#include <cstddef>
#include <span>

namespace orrery::rates {

/// t for a two-sided interval; `degrees` >= 1, 0 < confidence < 1.
double student_t(double confidence, std::size_t degrees);

struct SampleMean {
  double mean = 0.0, deviation = 0.0;  ///< of a single value, with n - 1
  double half_width = 0.0;             ///< of the mean's own interval: t deviation / sqrt(n)
};

/// Of two values at least.
SampleMean mean_of(std::span<const double> sample, double confidence);

}  // namespace orrery::rates
