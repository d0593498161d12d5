#include "sim/core/portable_math.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "sim/core/mixed.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

constexpr std::uint64_t arguments = 20'000;

/// How far a value is from one of more digits, in units of its last digit.
double units_off(double value, long double exact) {
  int exponent = 0;
  std::frexp(static_cast<double>(exact), &exponent);
  return static_cast<double>(std::abs(static_cast<long double>(value) - exact) / std::ldexp(1.0L, exponent - 53));
}

/// In (0, 1), and the next ones.
double drawn(std::uint64_t k, std::uint64_t which) { return unit_number(mixed(mixed(k) + which)); }
double of_any_size(std::uint64_t k) { return std::ldexp(drawn(k, 0), static_cast<int>(200.0 * drawn(k, 1)) - 100); }

}  // namespace

TEST_SUITE("core/portable_math") {
  TEST_CASE("Functions are as near to the exact value as their header says") {
    double log = 0.0, log2 = 0.0, exp = 0.0, expm1 = 0.0, cbrt = 0.0, pow = 0.0, gamma = 0.0, cosine = 0.0;
    for (std::uint64_t k = 0; k < arguments; ++k) {
      const double x = of_any_size(k), y = 1400.0 * (drawn(k, 2) - 0.5), base = 1.0 + 200.0 * drawn(k, 3),
                   power = 20.0 * (drawn(k, 4) - 0.5), turns = drawn(k, 5), small = y / 350.0,
                   above = 1.0 + 169.0 * turns;
      log = std::max(log, units_off(portable::log(x), std::log(static_cast<long double>(x))));
      log2 = std::max(log2, units_off(portable::log2(x), std::log2(static_cast<long double>(x))));
      exp = std::max(exp, units_off(portable::exp(y), std::exp(static_cast<long double>(y))));
      expm1 = std::max(expm1, units_off(portable::expm1(small), std::expm1(static_cast<long double>(small))));
      cbrt = std::max(cbrt, units_off(portable::cbrt(x), std::cbrt(static_cast<long double>(x))));
      pow = std::max(pow, units_off(portable::pow(base, power),
                                    std::pow(static_cast<long double>(base), static_cast<long double>(power))) /
                              std::max(1.0, std::abs(power * std::log(base))));
      gamma = std::max(
          gamma,
          std::abs(static_cast<double>(portable::gamma(above) / std::tgamma(static_cast<long double>(above)) - 1.0L)));
      cosine = std::max(cosine, static_cast<double>(std::abs(portable::cos_turns(turns) -
                                                             std::cos(2.0L * std::numbers::pi_v<long double> *
                                                                      static_cast<long double>(turns)))));
    }
    CHECK(log < 1.0);
    CHECK(exp < 1.0);
    CHECK(cbrt < 1.0);
    CHECK(log2 < 2.0);
    CHECK(expm1 < 4.0);
    CHECK(pow < 2.0);
    CHECK(gamma < 3e-13);
    CHECK(cosine < 2e-16);
  }

  TEST_CASE("Their bits are the same whatever compiled them and wherever they run") {
    std::uint64_t all = 0;
    for (std::uint64_t k = 0; k < arguments; ++k)
      for (const double value : {portable::log(of_any_size(k)), portable::log2(of_any_size(k)),
                                 portable::exp(20.0 * drawn(k, 2) - 10.0), portable::expm1(drawn(k, 2) - 0.5),
                                 portable::pow(200.0 * drawn(k, 3), drawn(k, 4)), portable::cbrt(of_any_size(k)),
                                 portable::gamma(1.0 + drawn(k, 2)), portable::normal(drawn(k, 2), drawn(k, 3))})
        all = mixed(all ^ std::bit_cast<std::uint64_t>(value));
    CHECK(all == 0xe2a79f29f7919535ull);
  }

  TEST_CASE("What has an exact value has it") {
    for (int k = -1000; k <= 1000; k += 100) CHECK(portable::log2(std::ldexp(1.0, k)) == k);
    CHECK(portable::log(1.0) == 0.0);
    CHECK(portable::exp(0.0) == 1.0);
    CHECK(portable::pow(2.0, 10.0) == 1024.0);
    CHECK(portable::pow(-3.0, 3.0) == -27.0);
    CHECK(portable::pow(0.1, 1.0) == 0.1);
    CHECK(portable::pow(4.0, -2.0) == 0.0625);
    CHECK(portable::pow(2.0, 0.5) == std::sqrt(2.0));
    CHECK(portable::cbrt(27.0) == 3.0);
    CHECK(portable::cbrt(-1.0) == -1.0);
    CHECK(portable::cos_turns(0.0) == 1.0);
    CHECK(portable::cos_turns(0.25) == 0.0);
    CHECK(portable::cos_turns(0.5) == -1.0);
  }

  TEST_CASE("Beyond what numbers hold they say what the system's functions say") {
    const double infinity = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
    CHECK(portable::log(0.0) == -infinity);
    CHECK(std::isnan(portable::log(-1.0)));
    CHECK(portable::log(infinity) == infinity);
    CHECK(portable::log(5e-324) == near(std::log(5e-324), 1e-15));
    CHECK(portable::exp(1000.0) == infinity);
    CHECK(portable::exp(-1000.0) == 0.0);
    CHECK(portable::expm1(-infinity) == -1.0);
    CHECK(std::isnan(portable::exp(none)));
    CHECK(portable::pow(0.0, 0.3) == 0.0);
    CHECK(portable::pow(0.0, -0.3) == infinity);
    CHECK(std::isnan(portable::pow(-2.0, 0.3)));
  }

  TEST_CASE("Draws of the normal distribution have its mean and variance and its tails") {
    double sum = 0.0, squares = 0.0, beyond = 0.0;
    for (std::uint64_t k = 0; k < 10 * arguments; ++k) {
      const double z = portable::normal(drawn(k, 0), drawn(k, 1));
      sum += z;
      squares += z * z;
      beyond += std::abs(z) > 1.959964 ? 1.0 : 0.0;
    }
    const double n = 10.0 * arguments;
    CHECK(std::abs(sum / n) < 4.0 / std::sqrt(n));
    CHECK(std::abs(squares / n - 1.0) < 4.0 * std::sqrt(2.0 / n));
    CHECK(std::abs(beyond / n - 0.05) < 4.0 * std::sqrt(0.05 * 0.95 / n));
  }
}
