#include "models/regression/non_negative.hpp"

#include <algorithm>
#include <vector>

namespace orrery {

namespace {

using Columns = std::vector<Eigen::Index>;

/// The plain solution through some columns, 0 elsewhere.
Eigen::VectorXd through(const Eigen::MatrixXd& a, const Eigen::VectorXd& b, const Columns& used) {
  Eigen::MatrixXd some(a.rows(), static_cast<Eigen::Index>(used.size()));
  for (std::size_t j = 0; j < used.size(); ++j) some.col(static_cast<Eigen::Index>(j)) = a.col(used[j]);
  Eigen::VectorXd all = Eigen::VectorXd::Zero(a.cols());
  if (used.empty()) return all;
  const Eigen::VectorXd solved = some.colPivHouseholderQr().solve(b);
  for (std::size_t j = 0; j < used.size(); ++j) all(used[j]) = solved(static_cast<Eigen::Index>(j));
  return all;
}

/// Moves x towards `target` until the first used coefficient is 0, and drops those that are.
void retreat(Eigen::VectorXd& x, const Eigen::VectorXd& target, Columns& used) {
  double step = 1.0;
  Eigen::Index first = -1;
  for (const Eigen::Index j : used)
    if (target(j) <= 0.0 && x(j) <= step * (x(j) - target(j))) {
      step = x(j) / (x(j) - target(j));
      first = j;
    }
  x += step * (target - x);
  if (first >= 0) x(first) = 0.0;  // whatever rounding says
  std::erase_if(used, [&](Eigen::Index j) { return x(j) <= 0.0; });
  for (Eigen::Index j = 0; j < x.size(); ++j)
    if (x(j) < 0.0) x(j) = 0.0;
}

}  // namespace

Eigen::VectorXd non_negative_solution(const Eigen::MatrixXd& a, const Eigen::VectorXd& b) {
  Eigen::VectorXd x = Eigen::VectorXd::Zero(a.cols());
  Columns used;
  std::vector<bool> refused(static_cast<std::size_t>(a.cols()), false);  // since x changed last
  const double least = 1e-13 * b.norm();
  for (;;) {
    const Eigen::VectorXd left = b - a * x, pull = a.transpose() * left;
    Eigen::Index best = -1;
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
      const bool known = std::ranges::find(used, j) != used.end() || refused[static_cast<std::size_t>(j)];
      if (!known && pull(j) > least && (best < 0 || pull(j) > pull(best))) best = j;
    }
    if (best < 0) return x;
    Columns more = used;
    more.push_back(best);
    Eigen::VectorXd at = x, target = through(a, b, more);
    while (std::ranges::any_of(more, [&](Eigen::Index j) { return target(j) <= 0.0; })) {
      retreat(at, target, more);
      target = through(a, b, more);
    }
    // Rounding alone may have pulled: without this the sets could go round in a circle.
    if ((b - a * target).norm() >= left.norm()) {
      refused[static_cast<std::size_t>(best)] = true;
      continue;
    }
    refused.assign(refused.size(), false);
    used = more;
    x = target;
  }
}

}  // namespace orrery
