#include "models/stats/repeated.hpp"

#include <doctest/doctest.h>

using namespace orrery;
using stats::median_run;
using stats::repeated_time;

namespace {

/// n, n - 1 ... 1 s
std::vector<Seconds> seconds(int n) {
  std::vector<Seconds> times;
  for (int k = n; k >= 1; --k) times.emplace_back(k);
  return times;
}

}  // namespace

TEST_SUITE("models/stats") {
  TEST_CASE("The median of several runs is that in the middle and of an even number between two") {
    CHECK(repeated_time("", seconds(5)).median == Seconds(3.0));
    CHECK(repeated_time("", seconds(4)).median == Seconds(2.5));
    CHECK(repeated_time("", seconds(1)).median == Seconds(1.0));
    CHECK(median_run(seconds(5)) == 2);
    CHECK(median_run(seconds(4)) == 2);  // 2 s: the shorter of the two
    CHECK(median_run({Seconds(2.0), Seconds(2.0), Seconds(2.0)}) == 1);
  }

  TEST_CASE("Nine of ten runs lie between the 5 % and 95 % quantiles") {
    const auto hundred = repeated_time("", seconds(100));
    CHECK(hundred.low == Seconds(5.0));
    CHECK(hundred.high == Seconds(95.0));
    const auto twenty = repeated_time("", seconds(20));
    CHECK(twenty.low == Seconds(1.0));
    CHECK(twenty.high == Seconds(19.0));
  }

  TEST_CASE("Of fewer than 20 runs the quantiles are the shortest and the longest") {
    const auto five = repeated_time("", seconds(5));
    CHECK(five.low == Seconds(1.0));
    CHECK(five.high == Seconds(5.0));
    const auto two = repeated_time("", seconds(2));
    CHECK(two.median == Seconds(1.5));
    CHECK(two.high == Seconds(2.0));
  }

  TEST_CASE("The median lies between order statistics and six times are the fewest that say where") {
    CHECK_FALSE(repeated_time("", seconds(5)).median_within);
    const auto six = repeated_time("", seconds(6));
    REQUIRE(six.median_within);
    CHECK(six.median_within->least == Seconds(1.0));
    CHECK(six.median_within->most == Seconds(6.0));
    const auto nine = repeated_time("", seconds(9));  // 2 P(B(9, 1/2) < 2) = 0.039
    REQUIRE(nine.median_within);
    CHECK(nine.median_within->least == Seconds(2.0));
    CHECK(nine.median_within->most == Seconds(8.0));
  }
}
