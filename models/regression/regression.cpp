#include "models/regression/regression.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "models/eigen.hpp"
#include "models/regression/non_negative.hpp"
#include "models/stats/sample.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

void require_regular(std::span<const Observation> observations) {
  if (observations.empty() || observations.front().terms.empty())
    throw InputError("regression: there are no observations, or they have no terms (one of each at least). Name more?");
  const std::size_t terms = observations.front().terms.size();
  for (std::size_t i = 0; i < observations.size(); ++i) {
    const auto& [row, value, weight] = observations[i];
    if (row.size() != terms)
      throw InputError("regression: observation {} has {} terms, the first has {} (all have as many)", i, row.size(),
                       terms);
    bool finite = std::isfinite(value) && std::isfinite(weight) && weight > 0.0;
    for (const double term : row) finite = finite && std::isfinite(term);
    if (!finite)
      throw InputError(
          "regression: observation {} has value {:g} and weight {:g} (numbers, the weight above 0). Remove it?", i,
          value, weight);
  }
}

/// The weighted problem with columns of norm 1.
struct Scaled {
  Eigen::MatrixXd a;
  Eigen::VectorXd b, norms;

  explicit Scaled(std::span<const Observation> observations)
      : a(static_cast<Eigen::Index>(observations.size()), static_cast<Eigen::Index>(observations.front().terms.size())),
        b(a.rows()),
        norms(a.cols()) {
    for (Eigen::Index i = 0; i < a.rows(); ++i) {
      const auto& [terms, value, weight] = observations[static_cast<std::size_t>(i)];
      for (Eigen::Index j = 0; j < a.cols(); ++j) a(i, j) = weight * terms[static_cast<std::size_t>(j)];
      b(i) = weight * value;
    }
    for (Eigen::Index j = 0; j < a.cols(); ++j) {
      norms(j) = a.col(j).norm();
      if (norms(j) > 0.0) a.col(j) /= norms(j);
    }
  }
};

Eigen::MatrixXd columns_of(const Eigen::MatrixXd& a, const std::vector<Eigen::Index>& used) {
  Eigen::MatrixXd some(a.rows(), static_cast<Eigen::Index>(used.size()));
  for (std::size_t j = 0; j < used.size(); ++j) some.col(static_cast<Eigen::Index>(j)) = a.col(used[j]);
  return some;
}

double condition_of(const Eigen::MatrixXd& a) {
  const Eigen::VectorXd singular = Eigen::JacobiSVD<Eigen::MatrixXd>(a).singularValues();
  const double least = singular(singular.size() - 1);
  return a.rows() < a.cols() || !(least > 0.0) ? never : singular(0) / least;
}

/// Half intervals of the coefficients of `used` columns: t s sqrt(diagonal of the inverse of A'A).
void add_confidence(Regression& found, const Scaled& problem, const std::vector<Eigen::Index>& used, double squares) {
  if (found.spare == 0 || found.rank < used.size()) {
    for (const Eigen::Index j : used) found.confidence[static_cast<std::size_t>(j)] = never;
    return;
  }
  const Eigen::MatrixXd a = columns_of(problem.a, used);
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(a);
  const auto n = static_cast<Eigen::Index>(used.size());
  const Eigen::MatrixXd inverse =
      qr.matrixQR().topLeftCorner(n, n).triangularView<Eigen::Upper>().solve(Eigen::MatrixXd::Identity(n, n)).eval();
  const double factor = stats::student_t(0.95, found.spare) * std::sqrt(squares / static_cast<double>(found.spare));
  for (std::size_t j = 0; j < used.size(); ++j)
    found.confidence[static_cast<std::size_t>(used[j])] =
        factor * inverse.row(static_cast<Eigen::Index>(j)).norm() / problem.norms(used[j]);
}

}  // namespace

double Regression::operator()(std::span<const double> terms) const {
  return std::inner_product(terms.begin(), terms.end(), coefficients.begin(), 0.0);
}

Regression fit(std::span<const Observation> observations, LeastSquares method) {
  require_regular(observations);
  const Scaled problem(observations);
  const auto terms = static_cast<std::size_t>(problem.a.cols());
  Regression found{.coefficients = std::vector<double>(terms, 0.0), .confidence = std::vector<double>(terms, 0.0)};
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(problem.a);
  Eigen::VectorXd k = Eigen::VectorXd::Zero(problem.a.cols());
  std::vector<Eigen::Index> used;
  if (method == LeastSquares::plain) {
    k = qr.solve(problem.b);
    for (Eigen::Index j = 0; j < problem.a.cols(); ++j) used.push_back(j);
    found.rank = static_cast<std::size_t>(qr.rank());
  } else {
    k = non_negative_solution(problem.a, problem.b);
    for (Eigen::Index j = 0; j < problem.a.cols(); ++j)
      if (k(j) > 0.0) used.push_back(j);
    found.rank = used.size();
  }
  found.condition = condition_of(problem.a);
  const double squares = (problem.a * k - problem.b).squaredNorm();
  const std::size_t rows = observations.size();
  found.spare = rows > used.size() ? rows - used.size() : 0;
  found.deviation = std::sqrt(squares / static_cast<double>(rows));
  if (!used.empty()) add_confidence(found, problem, used, squares);
  for (std::size_t j = 0; j < terms; ++j) {
    const auto column = static_cast<Eigen::Index>(j);
    if (problem.norms(column) > 0.0) found.coefficients[j] = k(column) / problem.norms(column);
  }
  return found;
}

std::optional<double> leave_one_out(std::span<const Observation> observations, LeastSquares method) {
  require_regular(observations);
  if (observations.size() <= observations.front().terms.size()) return {};
  double squares = 0.0;
  std::vector<Observation> others(observations.begin() + 1, observations.end());
  for (std::size_t i = 0; i < observations.size(); ++i) {
    if (i > 0) others[i - 1] = observations[i - 1];
    const Observation& left_out = observations[i];
    const double deviation = left_out.weight * (fit(others, method)(left_out.terms) - left_out.value);
    squares += deviation * deviation;
  }
  return std::sqrt(squares / static_cast<double>(observations.size()));
}

std::vector<Observation> with_terms(std::span<const Observation> observations, const std::vector<bool>& kept) {
  std::vector<Observation> fewer;
  fewer.reserve(observations.size());
  for (const auto& [terms, value, weight] : observations) {
    auto& one = fewer.emplace_back(Observation{{}, value, weight});
    for (std::size_t j = 0; j < terms.size(); ++j)
      if (kept[j]) one.terms.push_back(terms[j]);
  }
  return fewer;
}

std::vector<bool> terms_worth_keeping(std::span<const Observation> observations, LeastSquares method) {
  require_regular(observations);
  std::vector<bool> kept(observations.front().terms.size(), true);
  double best = leave_one_out(observations, method).value_or(never);
  for (std::size_t left = kept.size(); left > 1; --left) {
    std::optional<std::size_t> loser;
    for (std::size_t j = 0; j < kept.size(); ++j) {
      if (!kept[j]) continue;
      auto without = kept;
      without[j] = false;
      const auto deviation = leave_one_out(with_terms(observations, without), method);
      if (!deviation || *deviation > best) continue;
      best = *deviation;
      loser = j;
    }
    if (!loser) break;
    kept[*loser] = false;
  }
  return kept;
}

std::vector<bool> glitches(std::span<const Performance> measurements, double k) {
  std::vector<bool> found(measurements.size(), false);
  for (std::size_t i = 0; i < measurements.size(); ++i) {
    const Performance* before = nullptr;
    for (const Performance& other : measurements)
      if (other.size < measurements[i].size && (before == nullptr || other.size > before->size)) before = &other;
    found[i] = before != nullptr && measurements[i].speed <= k * before->speed;
  }
  return found;
}

}  // namespace orrery
