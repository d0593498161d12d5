#include "models/stats/sample.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::stats;
using test::near;

TEST_SUITE("models/stats") {
  TEST_CASE("The median is the value in the middle and of an even number the mean of the two in the middle") {
    CHECK(median({3.0}) == 3.0);
    CHECK(median({9.0, 1.0, 4.0}) == 4.0);
    CHECK(median({0.03, 0.01}) == near(0.02));
    CHECK(median({7.0, 1.0, 4.0, 2.0}) == 3.0);
    CHECK(quantile({7.0, 1.0, 4.0, 2.0}, 0.5) == 3.0);
  }

  TEST_CASE("A quantile lies between two values in the order of their places") {
    CHECK(quantile({5.0}, 0.9) == 5.0);
    CHECK(quantile({3.0, 1.0, 2.0}, 0.0) == 1.0);
    CHECK(quantile({3.0, 1.0, 2.0}, 1.0) == 3.0);
    CHECK(quantile({3.0, 1.0, 2.0}, 0.75) == near(2.5));
  }

  TEST_CASE("The median lies between its order statistics with 95 percent") {
    CHECK(median_of({3.0}).value == near(3.0));
    CHECK(median_of({4.0, 1.0}).value == near(2.5));
    // Binomial tables for n = 21: the 6th and the 16th value.
    std::vector<double> values;
    for (int i = 21; i >= 1; --i) values.push_back(i);
    const Median median = median_of(values);
    CHECK(median.value == near(11.0));
    CHECK(median.low == near(6.0));
    CHECK(median.high == near(16.0));
    // No pair of five values is that far apart in probability; of six the first and the last are.
    CHECK(median_of({1, 2, 3, 4, 5}).low == near(1.0));
    CHECK(median_of({1, 2, 3, 4, 5, 6}).low == near(1.0));
    CHECK(median_of({1, 2, 3, 4, 5, 6, 7, 8, 9}).low == near(2.0));
    CHECK_FALSE(place_of_low(5).has_value());
    CHECK(place_of_low(6) == 0u);
  }

  TEST_CASE("The interval of the median is the narrowest that holds it with 95 percent for any number of values") {
    for (std::size_t n = 0; n <= 300; ++n) {
      double below = 0.0, probability = std::pow(0.5, static_cast<double>(n));  // of exactly k of n below the median
      std::optional<std::size_t> place;
      for (std::size_t k = 0; 2 * k < n; ++k) {
        below += probability;
        if (2.0 * below > 0.05) break;
        place = k;
        probability *= static_cast<double>(n - k) / static_cast<double>(k + 1);
      }
      CAPTURE(n);
      CHECK(place_of_low(n) == place);
    }
  }

  TEST_CASE("Critical values of the t distribution are those of the tables") {
    CHECK(student_t(0.95, 1) == near(12.706, 1e-4));
    CHECK(student_t(0.95, 29) == near(2.0452, 1e-4));
    CHECK(student_t(0.99, 10) == near(3.1693, 1e-4));
    CHECK(student_t(0.95, 1000000) == near(1.95996, 1e-4));
  }

  TEST_CASE("The mean of a sample has its deviation and the interval of its confidence") {
    const std::vector<double> sample{1.0, 2.0, 3.0, 4.0, 5.0};
    const SampleMean mean = mean_of(sample, 0.95);
    CHECK(mean.mean == 3.0);
    CHECK(mean.deviation == near(std::sqrt(2.5)));
    CHECK(mean.half_width == near(2.7764 * std::sqrt(2.5) / std::sqrt(5.0), 1e-4));
  }
}
