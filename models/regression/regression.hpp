/// Linear least squares: coefficients k of a sum of terms through observations, plain or with k >= 0, and how far each
/// of them can be trusted.
///
///   minimise  sum_i w_i^2 (a_i . k - b_i)^2            all k, or k_j >= 0 for all j
///
///   a_i  any  terms of observation i (a row): n^3 / p, n^2, 1 ...
///   b_i  any  what was observed, often s
///   w_i  1    its weight; 1 / b_i makes the least squares those of relative deviations
///   k_j  b/a  coefficient of a term
///
/// Plain: QR with column pivoting on columns of norm 1; terms that the observations cannot tell apart get 0 and the fit
/// says so (`rank`). Non-negative: the active sets of Lawson and Hanson. Pure: no clock, no input, same bits each time.
///
/// Source   Lawson & Hanson, Solving Least Squares Problems, 1974, chapters 11 and 23 (algorithm NNLS)
/// Valid    as many observations as terms, more for confidence; errors independent and alike after weighting
/// Differs  confidence of a non-negative fit is that of a plain one through the terms that it keeps
/// Checked  tests/unit/models/regression/regression_test.cpp
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace orrery {

struct Observation {
  std::vector<double> terms;  ///< [terms]
  double value = 0.0;
  double weight = 1.0;
};

enum class LeastSquares : unsigned char { plain, non_negative };

struct Regression {
  std::vector<double> coefficients;  ///< [terms]
  /// [terms] half of the interval that holds the true coefficient with a probability of 95 %; infinity without
  /// observations to spare, or where they cannot tell the term from others. 0 of a term that a non-negative fit left
  /// out.
  std::vector<double> confidence;
  double condition = 1.0;  ///< greatest over least singular value of the weighted terms, columns of norm 1
  std::size_t rank = 0;    ///< terms that the observations tell apart
  double deviation = 0.0;  ///< sqrt(sum of weighted squares / observations)
  std::size_t spare = 0;   ///< observations beyond the terms used: degrees of freedom

  double operator()(std::span<const double> terms) const;
};

/// Throws InputError, opened by 'regression', without observations or terms, where rows differ in length, or where a
/// number is not finite.
Regression fit(std::span<const Observation> observations, LeastSquares method);

/// Deviations of each observation from the fit through all others, weighted: sqrt(mean of squares). Nothing where
/// leaving one out leaves fewer observations than terms.
std::optional<double> leave_one_out(std::span<const Observation> observations, LeastSquares method);

/// Which terms are worth keeping: as long as leaving one out does not raise the leave-one-out deviation, the one whose
/// loss lowers it most goes (Ichikawa et al., section 5.7, as a rule). At least one is kept. [terms]
std::vector<bool> terms_worth_keeping(std::span<const Observation> observations, LeastSquares method);

/// The observations with the terms that are kept.
std::vector<Observation> with_terms(std::span<const Observation> observations, const std::vector<bool>& kept);

/// Size and performance of a measurement, as in flop/s.
struct Performance {
  double size = 0.0, speed = 0.0;
};

/// Which measurements are glitches: p(n) <= k p(m), m the nearest smaller size (Ichikawa et al., section 5.6). The
/// least size is none.  [measurements], which may come in any order
std::vector<bool> glitches(std::span<const Performance> measurements, double k);

}  // namespace orrery
