#include "tests/support/relative.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <sstream>

using namespace orrery;
using test::Absolute;
using test::near;

TEST_SUITE("support/relative") {
  TEST_CASE("A microsecond is near itself and neither near nothing nor near one part in a million more") {
    CHECK(1.3e-6 == near(1.3e-6));
    CHECK_FALSE(0.0 == near(1.3e-6));
    CHECK_FALSE(1.3e-6 == near(0.0));
    CHECK_FALSE(-1.3e-6 == near(1.3e-6));
    CHECK_FALSE(1.3e-6 * (1 + 1e-6) == near(1.3e-6));
    CHECK(1.3e-6 * (1 + 1e-10) == near(1.3e-6));
    CHECK(1.3_us == near(1.3_us));
    CHECK_FALSE(0_s == near(1.3_us));
  }

  TEST_CASE("A tolerance of two percent takes two percent on either side and no more") {
    CHECK(101.9 == near(100.0, 0.02));
    CHECK(98.1 == near(100.0, 0.02));
    CHECK_FALSE(102.1 == near(100.0, 0.02));
    CHECK_FALSE(97.9 == near(100.0, 0.02));
  }

  TEST_CASE("Only nothing is near nothing unless an absolute bound is named") {
    CHECK(0.0 == near(0.0));
    CHECK_FALSE(1e-300 == near(0.0));
    CHECK(1e-14 == near(0.0, Absolute{1e-13}));
    CHECK_FALSE(2e-13 == near(0.0, Absolute{1e-13}));
    CHECK(0.5_us == near(0_s, Absolute{1e-6}));
  }

  TEST_CASE("What is no number is near nothing and infinity is not near a number") {
    CHECK_FALSE(std::nan("") == near(1.0));
    CHECK_FALSE(std::nan("") == near(std::nan("")));
    CHECK_FALSE(1.0 == near(std::nan("")));
    CHECK_FALSE(std::numeric_limits<double>::infinity() == near(1.0));
  }

  TEST_CASE("A comparison that fails tells both numbers and the bound") {
    std::ostringstream out;
    const auto expected = near(2_us, 0.01);
    CHECK_FALSE(3_us == expected);
    out << expected;
    CHECK(out.str() == "2e-06 within 2e-08 (is 3e-06)");
  }
}
