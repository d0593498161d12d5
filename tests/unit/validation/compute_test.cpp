#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "sim/config/csv.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"
#include "validation/compute/size_curve.hpp"

using namespace orrery;
using namespace orrery::rates;
using test::near;

namespace {

/// A curve whose time is two straight lines: from cache up to 1e6 flops, three times slower beyond.
std::vector<SizedRate> two_regimes(double noise) {
  std::mt19937 random(5);
  std::vector<SizedRate> curve;
  for (double flops = 1e3; flops < 1e9; flops *= 2.0) {
    const double seconds = flops < 1e6 ? 1e-7 + flops / 6e9 : -2e-4 + flops / 2e9;
    const double off = noise * (static_cast<double>(random() % 2001) / 1000.0 - 1.0);
    curve.push_back({static_cast<std::uint64_t>(flops), flops, 8.0 * flops, seconds * (1.0 + off), 0.01 * seconds});
  }
  return curve;
}

}  // namespace

TEST_SUITE("validation/compute") {
  TEST_CASE("Outliers of a sample are measured again until none is left") {
    int call = 0;
    // The fifth and the twentieth measurement are disturbed; what is measured again is not.
    const Sample sample = sampled([&] { return ++call == 5 || call == 20 ? 9.0 : 1.0 + 0.001 * (call % 3); });
    CHECK(sample.values.size() == 30);
    CHECK(sample.settled);
    CHECK(sample.again >= 2);
    for (const double value : sample.values) CHECK(value < 1.01);
  }
  TEST_CASE("A sample that never settles ends and says so") {
    int call = 0;
    const Sample sample =
        sampled([&] { return ++call % 10 == 0 ? 100.0 : 1.0; }, {.size = 30, .confidence = 0.95, .again_max = 50});
    CHECK(sample.values.size() == 30);
    CHECK((sample.settled || sample.again == 50));
    int other = 0;  // each measurement is ten times the last
    const Sample growing =
        sampled([&] { return std::pow(10.0, ++other); }, {.size = 10, .confidence = 0.9, .again_max = 20});
    CHECK_FALSE(growing.settled);
    CHECK(growing.again == 20);
  }
  TEST_CASE("A rate found at few iterations predicts many where time is linear in them") {
    const auto run = [](std::uint64_t k) { return 2e-6 + 3e-7 * static_cast<double>(k); };
    const IterationRate rate = iteration_rate(run);
    REQUIRE(rate.sampled.size() == 12);
    CHECK(rate.sampled.back().iterations == 4096);
    CHECK(rate.line.slope == near(3e-7));
    CHECK(rate.line.intercept == near(2e-6, 1e-6));
    REQUIRE(rate.predicted.size() == 24);
    CHECK(rate.predicted.back().iterations == 1u << 24);
    for (const CountedTime& one : rate.predicted) CHECK(std::abs(one.error()) < 1e-6);
    CHECK(iteration_rate(run, {.seconds_max = 1.0}).predicted.size() == 21);  // 2^22 iterations take 1.26 s
  }
  TEST_CASE("A rate that falls with the iterations is mispredicted by what it fell") {
    const auto slower = [](std::uint64_t k) { return 1e-6 * static_cast<double>(k) * (k > 100000 ? 1.25 : 1.0); };
    CHECK(iteration_rate(slower).predicted.back().error() == near(-0.2));
  }
  TEST_CASE("Cache regimes are found where the time by size breaks and noise makes none") {
    const std::vector<SizedRate> curve = two_regimes(0.0);
    const auto regimes = regimes_of_curve(curve, 0.01).segments;
    REQUIRE(regimes.size() == 2);
    CHECK(curve[regimes[0].last].flops < 1e6);
    CHECK(curve[regimes[1].first].flops >= 1e6);
    CHECK(1.0 / regimes[0].line.slope == near(6e9, 1e-3));
    CHECK(1.0 / regimes[1].line.slope == near(2e9, 1e-3));
    CHECK(regimes_of_curve(two_regimes(0.02), 0.01).segments.size() == 2);
    std::vector<SizedRate> straight;
    std::mt19937 random(2);
    for (double x = 1.0; x < 1e6; x *= 1.5) {
      const double off = 0.03 * (static_cast<double>(random() % 2001) / 1000.0 - 1.0);
      straight.push_back({.n = 1, .flops = x, .seconds = (1e-6 + x * 1e-9) * (1.0 + off)});
    }
    CHECK(regimes_of_curve(straight, 0.01).segments.size() == 1);
  }
  TEST_CASE("Sizes held out are predicted by the table and by the regimes of the others") {
    const auto held = held_out(two_regimes(0.0), 0.01);
    REQUIRE(held.size() == 9);
    for (const HeldOut& one : held) {
      CHECK(std::abs(one.regimes_error()) < 0.2);
      if (one.measured > 1e-2) CHECK(std::abs(one.table_error()) < 0.02);
    }
    CHECK(held_out({}, 0.01).empty());
  }
  TEST_CASE("Every kernel whose rate is measured does what its name says") {
    const auto check = [](const char* name, std::uint64_t n, std::uint64_t times) {
      const auto kernel = rate_kernel(name, "test").make(n);
      kernel->run(times);
      return kernel->check();
    };
    // x = 1, 1/2, 1/3 ...; y = 1, 1/2, 1/3 ... of the first five. check: last sum + x_0 + y_0
    CHECK(check("dcopy", 10, 1) == 2.0);
    CHECK(check("ddot", 3, 1) == near(1.0 + 0.25 + 1.0 / 9.0 + 2.0));
    CHECK(check("dasum", 3, 1) == near(1.0 + 0.5 + 1.0 / 3.0 + 2.0));
    CHECK(check("dnrm2", 3, 1) == near(std::sqrt(1.0 + 0.25 + 1.0 / 9.0) + 2.0));
    CHECK(check("dasum", 17, 1) == near(check("dasum", 16, 1) + 1.0 / 3.0));  // a rest beyond eight sums: x_16 = 1/3
    CHECK(check("dscal", 3, 2) == near(std::pow(1.0 - 1e-7, 2) + 1.0));
    CHECK(check("daxpy", 3, 1) == near(2.0 + 1e-9));
    CHECK(check("dswap", 3, 1) == 2.0);
    CHECK(check("stencil", 3, 1) == near(0.2));         // below the hot edge: a fifth of it
    CHECK(check("stencil", 3, 2) == near(0.2 + 0.08));  // 0.2 + 0.2 (1 + 0 + 0 + 0.2 - 0.8)
    if (!blas_name().empty()) CHECK(check("dgemm", 8, 2) == near(2 * 8 * 0.125));
    for (const RateKernel& kernel : rate_kernels()) {
      CAPTURE(kernel.name);
      CHECK(kernel.bytes(kernel.size(1e5)) <= 1e5);
      CHECK(kernel.bytes(kernel.size(1e5) + 1) > 1e5);
    }
  }
  TEST_CASE("A kernel that is not there is refused with those that are and dgemm with what it needs") {
    CHECK_THROWS_AS(rate_kernel("daxpi", "sizes"), InputError);
    if (blas_name().empty())
      CHECK_THROWS_WITH_AS(rate_kernel("dgemm", "sizes"),
                           "sizes: 'dgemm' needs a BLAS, and none was found when this was built (on Debian: apt-get "
                           "install libopenblas-dev). Measure 'daxpy'?",
                           InputError);
  }
  TEST_CASE("A measured curve is written as a table that the compute model reads") {
    const auto curve = two_regimes(0.0);
    const std::string csv = table_csv(rate_kernel("daxpy", "test"), curve, regimes_of_curve(curve, 0.01), {"a remark"});
    const DataTable table = config::parse_csv(csv, "daxpy.csv");
    CHECK(table.rows.size() == curve.size());
    CHECK(table.columns == std::vector<std::string>{"work", "size_flop", "speed_flop_per_s"});
    CHECK(csv.find("# a remark\n") != std::string::npos);
    CHECK(csv.find("# regime of 8 kB to") != std::string::npos);
  }
}
