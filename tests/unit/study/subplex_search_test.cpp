#include "sim/study/fit/subplex_search.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/support/relative.hpp"

using namespace orrery::study;
using orrery::test::near;

namespace {

const std::vector<SearchedParameter> two{{"a", 1.0, 0.01, 100.0}, {"b", 10.0, 0.01, 100.0}};

double apart(double value, double from) { return std::abs(std::log(value / from)); }

}  // namespace

TEST_SUITE("app/subplex search") {
  TEST_CASE("A subplex search finds where an error is least and says what ten per cent more of a parameter cost") {
    const auto found = subplex_search(
        two, [](const std::vector<double>& x) { return 0.1 + apart(x[0], 3.0) + 0.5 * apart(x[0] * x[1], 6.0); });
    CHECK(found.error_before == near(0.1 + std::log(3.0) + 0.5 * std::log(10.0 / 6.0)));
    CHECK(found.parameters[0].value == near(3.0, 0.04));  // the last step
    CHECK(found.parameters[1].value == near(2.0, 0.08));
    CHECK(found.parameters[1].determined);
    CHECK(found.parameters[1].larger - found.error > 0.02);
    CHECK_FALSE(found.parameters[1].open_above);
  }

  TEST_CASE("A subplex search goes on along a kink where one of two totals is met") {
    // Either parameter alone makes the total that is met worse by more than the other better: single parameters stop at 0.0197.
    const auto totals = [](const std::vector<double>& x) {
      return 0.5 * apart(0.9 / x[0] + 0.1 / x[1], 1.0) + 0.5 * apart(0.7 / x[0] + 0.3 / x[1], 1.0);
    };
    const auto found = subplex_search({{"a", 0.4, 0.01, 100.0}, {"b", 2.5, 0.01, 100.0}}, totals, {.points = 2});
    CHECK(found.error < 0.002);
    CHECK(found.parameters[0].value == near(1.0, 0.005));
    CHECK(found.parameters[1].value == near(1.0, 0.02));
  }

  TEST_CASE("What an error throws comes through a search") {
    const auto throws = [](const std::vector<double>& x) -> double {
      if (x[0] != 1.0) throw std::runtime_error("told to stop");
      return 1.0;
    };
    CHECK_THROWS_WITH_AS(subplex_search(two, throws), "told to stop", std::runtime_error);
  }

  TEST_CASE("A parameter that the error does not depend on stays where the search began") {
    const auto found = subplex_search(two, [](const std::vector<double>& x) { return apart(x[0], 3.0) + 0.1; });
    CHECK(found.parameters[1].value == 10.0);
    CHECK_FALSE(found.parameters[1].determined);
    CHECK(found.parameters[0].determined);
  }

  TEST_CASE("A parameter that only has to be large stops soon after it is large enough") {
    const auto wants = [](const std::vector<double>& x) { return 0.1 + 0.1 / x[1] + apart(x[0], 1.0); };
    const auto found = subplex_search({{"a", 1.0, 0.01, 100.0}, {"b", 1.0, 0.01, 1e6}}, wants);
    CHECK(found.parameters[1].value > 20.0);
    CHECK(found.parameters[1].value < 1000.0);  // the gains of the last steps are below a hundredth of the error
    CHECK(found.parameters[1].open_above);
    CHECK(found.parameters[1].determined);
  }

  TEST_CASE("A search stays inside the bounds of a parameter and says that it came to one") {
    const auto found =
        subplex_search({{"share", 0.5, 0.1, 1.0}}, [](const std::vector<double>& x) { return apart(x[0], 3.0); });
    CHECK(found.parameters[0].value == 1.0);
    CHECK(found.parameters[0].at_most);
  }

  TEST_CASE("A search ends where an error is infinite or no number") {
    for (const double error : {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
      const auto found = subplex_search(two, [&](const std::vector<double>&) { return error; });
      CHECK(found.complete);
      CHECK(found.parameters[0].value == 1.0);
    }
  }

  TEST_CASE("A search stops after so many tries and says that it did") {
    std::size_t asked = 0;
    const auto found = subplex_search({{"a", 1.0, 1e-300, 1e300}},
                                      [&](const std::vector<double>& x) {
                                        ++asked;
                                        return 700.0 + std::log(x[0]);
                                      },
                                      {.first_step = 0.01, .last_step = 1e-3, .tries_max = 5});
    CHECK_FALSE(found.complete);
    CHECK(found.error < found.error_before);
    CHECK(asked < 5 + 15);  // and what is told of each parameter
  }

  TEST_CASE("A factor is searched by how far it lies from one") {
    const auto found = subplex_search({{"factor", 1.1, 1.001, 10.0, 1.0}}, [](const std::vector<double>& x) {
      return std::abs(std::log((x[0] - 1.0) / 0.02));
    });
    CHECK(found.parameters[0].value == near(1.02, 0.001));
  }
}
