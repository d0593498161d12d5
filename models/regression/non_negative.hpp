/// Non-negative least squares: minimise |A x - b| with x >= 0, by the active sets of Lawson and Hanson (chapter 23).
///
///   A  [rows x columns]  columns of norm 1 or 0
///   b  [rows]
///
/// Ends after finitely many steps: each set of positive columns occurs at most once, as the norm decreases. Columns
/// that depend on those in use enter no set.
///
/// Checked  tests/unit/models/regression/regression_test.cpp, against every active set
#pragma once

#include "models/eigen.hpp"

namespace orrery {

Eigen::VectorXd non_negative_solution(const Eigen::MatrixXd& a, const Eigen::VectorXd& b);

}  // namespace orrery
