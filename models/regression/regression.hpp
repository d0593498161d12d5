/// Linear least squares: coefficients k of a sum of terms through observations, plain or with k >= 0, and the
/// confidence in each of them.
///
///   minimise  sum_i w_i^2 (a_i . k - b_i)^2            all k, or k_j >= 0 for all j
///
///   a_i  any  terms of observation i (a row): n^3 / p, n^2, 1 ...
///   b_i  any  what was observed, often s
///   w_i  1    its weight; 1 / b_i makes the least squares those of relative deviations
///   k_j  b/a  coefficient of a term
///
/// Plain: QR with column pivoting on columns of norm 1; terms that the observations cannot separate get 0 (see `rank`).
/// Non-negative: the active sets of Lawson and Hanson. Pure: no clock, no input, same bits each time.
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
  /// [terms] half of the interval that holds the true coefficient with a probability of 95 %; infinity without spare
  /// observations, or if they cannot separate the term from others. 0 for a term that a non-negative fit left out.
  std::vector<double> confidence;
  double condition = 1.0;  ///< largest over smallest singular value of the weighted terms, columns of norm 1
  std::size_t rank = 0;    ///< terms that the observations separate
  double deviation = 0.0;  ///< sqrt(sum of weighted squares / observations)
  std::size_t spare = 0;   ///< observations beyond the terms used: degrees of freedom

  double operator()(std::span<const double> terms) const;
};

/// Throws InputError that begins with 'regression' without observations or terms, if rows differ in length, or if a
/// number is not finite.
Regression fit(std::span<const Observation> observations, LeastSquares method);

/// Deviations of each observation from the fit through all others, weighted: sqrt(mean of squares). Empty if leaving
/// one out leaves fewer observations than terms.
std::optional<double> leave_one_out(std::span<const Observation> observations, LeastSquares method);

/// The terms worth keeping: while removing a term does not raise the leave-one-out deviation, removes the one whose
/// removal lowers it most (Ichikawa et al., section 5.7, as a rule). At least one is kept. [terms]
std::vector<bool> terms_worth_keeping(std::span<const Observation> observations, LeastSquares method);

/// The observations with only the kept terms.
std::vector<Observation> with_terms(std::span<const Observation> observations, const std::vector<bool>& kept);

/// Size and performance of a measurement, as in flop/s.
struct Performance {
  double size = 0.0, speed = 0.0;
};

/// Whether each measurement is a glitch: p(n) <= k p(m), m the nearest smaller size (Ichikawa et al., section 5.6). The
/// smallest size is none.  [measurements], which may come in any order
std::vector<bool> glitches(std::span<const Performance> measurements, double k);

}  // namespace orrery
