#include "models/regression/regression.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::Absolute;
using test::near;

namespace {

/// Numbers of a fixed sequence between -1 and 1.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed) {}
  double operator()() {
    state_ = state_ * 6364136223846793005ull + 1442695040888963407ull;
    return static_cast<double>(state_ >> 11) / static_cast<double>(1ull << 52) - 1.0;
  }

 private:
  std::uint64_t state_;
};

std::vector<Observation> random_problem(std::uint64_t seed, std::size_t rows, std::size_t terms) {
  Draws draw(seed);
  std::vector<Observation> problem(rows);
  for (auto& row : problem) {
    for (std::size_t j = 0; j < terms; ++j) row.terms.push_back(draw());
    row.value = draw();
  }
  return problem;
}

double squares(const std::vector<Observation>& problem, const std::vector<double>& k) {
  double sum = 0.0;
  for (const auto& row : problem) {
    double left = -row.value;
    for (std::size_t j = 0; j < k.size(); ++j) left += k[j] * row.terms[j];
    sum += left * left;
  }
  return sum;
}

/// The least squares over all sets of terms whose plain solution is non-negative: what NNLS must reach.
double least_over_all_sets(const std::vector<Observation>& problem) {
  const std::size_t terms = problem.front().terms.size();
  double least = squares(problem, std::vector<double>(terms, 0.0));
  for (std::size_t set = 1; set < (std::size_t{1} << terms); ++set) {
    std::vector<bool> kept(terms);
    for (std::size_t j = 0; j < terms; ++j) kept[j] = (set >> j & 1) != 0;
    const Regression plain = fit(with_terms(problem, kept), LeastSquares::plain);
    std::vector<double> k(terms, 0.0);
    bool negative = false;
    for (std::size_t j = 0, at = 0; j < terms; ++j)
      if (kept[j]) negative = (k[j] = plain.coefficients[at++]) < 0.0 || negative;
    if (!negative) least = std::min(least, squares(problem, k));
  }
  return least;
}

std::vector<Observation> line(const std::vector<std::pair<double, double>>& points) {
  std::vector<Observation> rows;
  for (const auto& [x, y] : points) rows.push_back({{1.0, x}, y});
  return rows;
}

std::string message_of(const std::vector<Observation>& rows) {
  try {
    fit(rows, LeastSquares::plain);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace

TEST_SUITE("models/regression") {
  TEST_CASE("Plain least squares finds the coefficients of exact observations over sixteen powers of ten") {
    std::vector<Observation> rows;
    for (double n = 32; n <= 192; n += 20)
      for (double p = 2; p <= 4; ++p)
        rows.push_back({{n * n * n / p, n * n, 1.0}, 3e-10 * n * n * n / p + 2e-8 * n * n + 5e-4});
    const Regression found = fit(rows, LeastSquares::plain);
    CHECK(found.coefficients[0] == near(3e-10, 1e-9));
    CHECK(found.coefficients[1] == near(2e-8, 1e-9));
    CHECK(found.coefficients[2] == near(5e-4, 1e-9));
    CHECK(found.rank == 3);
    CHECK(found.spare == rows.size() - 3);
    CHECK(found.condition < 100.0);  // of columns of norm 1; of the columns as they are 5e7
  }
  TEST_CASE("Confidence of a line is that of the textbook") {
    // y = 1 + 2 x with deviations 0.1 -0.1 -0.1 0.1 at 0 1 2 3: s^2 = 0.04 / 2; Sxx = 5; t = 4.303 with two to spare.
    const auto rows = line({{0, 1.1}, {1, 2.9}, {2, 4.9}, {3, 7.1}});
    const Regression found = fit(rows, LeastSquares::plain);
    CHECK(found.coefficients[1] == near(2.0, 1e-12));
    CHECK(found.confidence[1] == near(4.302652729911275 * std::sqrt(0.02 / 5.0), 1e-9));
    CHECK(found.confidence[0] == near(4.302652729911275 * std::sqrt(0.02 * (1.0 / 4.0 + 1.5 * 1.5 / 5.0)), 1e-9));
    CHECK(found.deviation == near(0.1, 1e-12));
  }
  TEST_CASE("Terms that the observations cannot tell apart lower the rank and have no confidence") {
    std::vector<Observation> rows;
    for (double x = 1; x < 6; ++x) rows.push_back({{x, 2.0 * x, 1.0}, 3.0 * x + 1.0});
    const Regression found = fit(rows, LeastSquares::plain);
    CHECK(found.rank == 2);
    CHECK(std::isinf(found.confidence[0]));
    CHECK(found.condition > 1e12);
    CHECK(found(std::vector{10.0, 20.0, 1.0}) == near(31.0, 1e-9));
  }
  TEST_CASE("Non-negative least squares reaches the best of every active set") {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const std::size_t terms = 1 + seed % 7;
      const auto problem = random_problem(seed, terms + seed % 5 + 1, terms);
      const Regression found = fit(problem, LeastSquares::non_negative);
      INFO("seed ", seed);
      for (const double k : found.coefficients) CHECK(k >= 0.0);
      CHECK(squares(problem, found.coefficients) == near(least_over_all_sets(problem), 1e-9));
    }
  }
  TEST_CASE("Non-negative least squares ends where terms depend on each other or are zero") {
    std::vector<Observation> rows;
    for (double x = 1; x < 9; ++x) rows.push_back({{x, 2.0 * x, x * x, x, 0.0}, 4.0 * x});
    const Regression found = fit(rows, LeastSquares::non_negative);
    CHECK(found(std::vector{5.0, 10.0, 25.0, 5.0, 0.0}) == near(20.0, 1e-9));
    CHECK(found.coefficients[4] == 0.0);
  }
  TEST_CASE("Where plain least squares is negative the non-negative one is zero and plain for the rest") {
    const auto rows = line({{1, 3.0}, {2, 2.0}, {3, 1.0}});  // falls: slope -1
    CHECK(fit(rows, LeastSquares::plain).coefficients[1] == near(-1.0, 1e-12));
    const Regression found = fit(rows, LeastSquares::non_negative);
    CHECK(found.coefficients == std::vector{found.coefficients[0], 0.0});
    CHECK(found.coefficients[0] == near(2.0, 1e-12));
    CHECK(found.confidence[1] == 0.0);
    CHECK(found.spare == 2);
  }
  TEST_CASE("Weights of one over the value make the squares those of relative deviations") {
    std::vector<Observation> rows{{{1.0}, 1.0, 1.0}, {{1.0}, 100.0, 1.0 / 100.0}};
    // minimise (k - 1)^2 + (k / 100 - 1)^2
    CHECK(fit(rows, LeastSquares::plain).coefficients[0] == near((1.0 + 0.01) / (1.0 + 0.0001), 1e-12));
  }
  TEST_CASE("Leaving one out of three on a line errs by what the other two say") {
    const auto rows = line({{0, 0.0}, {1, 1.0}, {2, 5.0}});
    // The others say -3, 2.5 and 2 there.
    const double expected = std::sqrt((9.0 + 1.5 * 1.5 + 9.0) / 3.0);
    CHECK(*leave_one_out(rows, LeastSquares::plain) == near(expected, 1e-12));
    CHECK_FALSE(leave_one_out(line({{0, 0.0}, {1, 1.0}}), LeastSquares::plain));
  }
  TEST_CASE("A term that the left out observations do not miss is not worth keeping") {
    std::vector<Observation> rows;
    Draws draw(7);
    for (double x = 1; x < 20; ++x) rows.push_back({{x, std::sin(17.0 * x), 1.0}, 2.0 * x + 30.0 + 0.1 * draw()});
    CHECK(terms_worth_keeping(rows, LeastSquares::plain) == std::vector{true, false, true});
  }
  TEST_CASE("A glitch is a size whose speed is at most k times that of the size below") {
    const std::vector<Performance> speeds{{64, 10.0}, {32, 8.0}, {96, 9.0}, {128, 12.0}, {112, 8.0}};
    // 96: 9 <= 0.9 * 10; 112: 8 > 0.9 * 9 is false, 8 <= 8.1; 128: 12 > 7.2
    CHECK(glitches(speeds, 0.9) == std::vector{false, false, true, false, true});
    CHECK(glitches(speeds, 0.85) == std::vector{false, false, false, false, false});
  }
  TEST_CASE("A regression refuses nothing to fit and numbers that are none") {
    CHECK(message_of({}) ==
          "regression: there are no observations, or they have no terms (one of each at least). Name more?");
    CHECK(message_of({{{1.0, 2.0}, 1.0}, {{1.0}, 1.0}}) ==
          "regression: observation 1 has 1 terms, the first has 2 (all have as many)");
    CHECK(message_of({{{1.0}, std::numeric_limits<double>::infinity()}}) ==
          "regression: observation 0 has value inf and weight 1 (numbers, the weight above 0). Remove it?");
    CHECK(message_of({{{1.0}, 1.0, 0.0}}) ==
          "regression: observation 0 has value 1 and weight 0 (numbers, the weight above 0). Remove it?");
  }
}
