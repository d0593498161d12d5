// Time to solution of programs on nodes that fail.
#include "models/stats/failures.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::stats;
using test::Absolute;
using test::near;

namespace {

constexpr double h = 3600.0;

/// Exact for failures that come at random (shape 1), without a checkpoint at the end:
///
///   M e^(R/M) ((n - 1) (e^((t+C)/M) - 1) + e^(l/M) - 1),   n = ceil(W / t),  l = W - (n - 1) t
Seconds expected_time(const FailingRun& run, Seconds interval) {
  const double m = run.between_failures().si(), parts = std::ceil(run.work / interval) - 1.0;
  const double last = run.work.si() - parts * interval.si();
  return Seconds(m * std::exp(run.restart.si() / m) *
                 (parts * std::expm1((interval + run.checkpoint).si() / m) + std::expm1(last / m)));
}

/// 1,000 nodes that fail every 50,000 hours: one of them every 50 hours.
FailingRun month() {
  return {.work = Seconds(720 * h),
          .checkpoint = Seconds(600),
          .restart = Seconds(900),
          .mtbf = Seconds(50'000 * h),
          .nodes = 1000};
}

double deviation(const std::vector<DrawnTime>& times) {
  const double mean = mean_time(times).si();
  double sum = 0.0;
  for (const DrawnTime& one : times) sum += (one.time.si() - mean) * (one.time.si() - mean);
  return std::sqrt(sum / static_cast<double>(times.size() - 1));
}

}  // namespace

TEST_SUITE("models/failures") {
  TEST_CASE("Young and Daly as worked out by hand") {
    const FailingRun run = month();
    CHECK(young_interval(run).si() == near(std::sqrt(2 * 600 * 50 * h)));  // 4.08 h
    const double x = 600 / (2 * 50 * h);
    CHECK(daly_interval(run).si() == near(young_interval(run).si() * (1 + std::sqrt(x) / 3 + x / 9) - 600));
    FailingRun hopeless = run;
    hopeless.checkpoint = Seconds(200 * h);
    CHECK(daly_interval(hopeless).si() == near(50 * h));
  }

  TEST_CASE("Without failures nothing is added but checkpoints") {
    FailingRun run = month();
    run.mtbf = Seconds(1e18);
    for (const DrawnTime& one : drawn_times(run, Seconds(10 * h), 5, 1)) {
      CHECK(one.failures == 0);
      CHECK(one.time.si() == near(720 * h + 71 * 600));  // none after the last part
    }
    CHECK(expected_time(run, Seconds(10 * h)).si() == near(720 * h + 71 * 600, 1e-6));
    CHECK(drawn_times(run, Seconds(1000 * h), 1, 1)[0].time.si() == near(720 * h));
  }

  TEST_CASE("The mean of drawn runs is the expected time whatever the interval") {
    constexpr std::uint32_t draws = 4000;
    for (const double interval : {0.5, 4.0, 30.0})
      for (const double restart : {0.0, 900.0, 40 * h}) {
        FailingRun run = month();
        run.restart = Seconds(restart);
        const auto times = drawn_times(run, Seconds(interval * h), draws, 7);
        const double error = deviation(times) / std::sqrt(static_cast<double>(draws));
        CHECK(mean_time(times).si() == near(expected_time(run, Seconds(interval * h)).si(), Absolute{4 * error}));
      }
  }

  TEST_CASE("Weibull nodes of shape 1 are exponential nodes and the mean life is that stated") {
    FailingRun run = month();
    run.nodes = 20;
    run.mtbf = Seconds(1000 * h);
    constexpr std::uint32_t draws = 4000;
    const double exponential = mean_time(drawn_times(run, Seconds(4 * h), draws, 3)).si();
    run.shape = 1.0 + 1e-9;  // drawn node by node
    const auto times = drawn_times(run, Seconds(4 * h), draws, 3);
    CHECK(mean_time(times).si() == near(exponential, Absolute{6 * deviation(times) / std::sqrt(double{draws})}));
    // Renewals: over a long time as many failures as lives fit into it, for any shape.
    run.shape = 2.0;
    run.work = Seconds(20'000 * h);
    run.restart = run.checkpoint = Seconds(0);
    const auto longer = drawn_times(run, Seconds(0.1 * h), 50, 5);
    double failures = 0.0, time = 0.0;
    for (const DrawnTime& one : longer) {
      failures += static_cast<double>(one.failures);
      time += one.time.si();
    }
    CHECK(failures == near(time / (1000 * h) * 20, 0.03));
  }

  TEST_CASE("Young and Daly are within 1 % of the best drawn interval where checkpoints are short beside failures") {
    const FailingRun run = month();
    constexpr std::uint32_t draws = 2000;
    const Seconds best = best_interval(run, draws, 1);
    const double least = mean_time(drawn_times(run, best, draws, 1)).si();
    for (const Seconds interval : {young_interval(run), daly_interval(run)}) {
      const double mean = mean_time(drawn_times(run, interval, draws, 1)).si();
      CHECK(mean >= least * (1 - 1e-3));
      CHECK(mean == near(least, 0.01));
    }
    CHECK(best.si() == near(young_interval(run).si(), 0.35));  // the minimum is flat
  }

  TEST_CASE("Where checkpoints are long beside failures Daly is nearer the optimum than Young") {
    FailingRun run = month();
    run.checkpoint = Seconds(25 * h);
    run.work = Seconds(7200 * h);
    const auto longer = [&](Seconds interval) {
      return expected_time(run, interval) / expected_time(run, daly_interval(run));
    };
    CHECK(longer(young_interval(run)) > 1.01);
  }

  TEST_CASE("The same seed draws the same bits and another one others") {
    FailingRun run = month();
    for (const double shape : {1.0, 0.7}) {
      run.shape = shape;
      const auto once = drawn_times(run, Seconds(4 * h), 20, 1), again = drawn_times(run, Seconds(4 * h), 20, 1);
      const auto other = drawn_times(run, Seconds(4 * h), 20, 2);
      CHECK(std::ranges::equal(once, again, {}, &DrawnTime::time, &DrawnTime::time));
      CHECK(!std::ranges::equal(once, other, {}, &DrawnTime::time, &DrawnTime::time));
    }
  }

  TEST_CASE("A run that makes no headway ends as infinite") {
    FailingRun run = month();
    run.mtbf = Seconds(1000);
    CHECK(std::isinf(drawn_times(run, Seconds(10 * h), 1, 1)[0].time.si()));
  }
}
