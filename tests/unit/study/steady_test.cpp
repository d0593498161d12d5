#include "sim/engine/steady.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

/// Runs whose iteration i takes d(i), half of it in each of two phases; counts what is played.
class Played {
 public:
  explicit Played(std::function<double(std::uint32_t)> duration) : duration_(std::move(duration)) {}
  RunResult operator()(std::uint32_t iterations) {
    most = std::max(most, iterations);
    RunResult run;
    double now = 0.0;
    for (std::uint32_t i = 0; i < iterations; ++i)
      for (const char* name : {"computation", "communication"}) {
        const double half = duration_(i) / 2.0;
        run.phases.push_back(
            {.phase = name, .iteration = i, .time = Seconds(half), .begin = Seconds(now), .end = Seconds(now + half)});
        now += half;
      }
    run.makespan = Seconds(now);
    return run;
  }
  std::uint32_t most = 0;

 private:
  std::function<double(std::uint32_t)> duration_;
};

}  // namespace

TEST_SUITE("app/steady") {
  TEST_CASE("A run whose iterations all take as long is told from eight of them") {
    Played played([](std::uint32_t) { return 0.25; });
    const RunResult run = engine::steady_run(1000, 1e-6, std::ref(played));
    CHECK(played.most == 8);
    CHECK(run.makespan.si() == near(250.0, 1e-12));
    CHECK(run.phase_time("communication").si() == near(125.0, 1e-12));
  }
  TEST_CASE("A run that settles is played until it has and errs by less than was asked") {
    const auto settling = [](std::uint32_t i) { return 1.0 + std::exp2(-0.25 * i); };
    Played played(settling), whole(settling);
    const double truth = whole(2000).makespan.si();
    const RunResult run = engine::steady_run(2000, 1e-3, std::ref(played));
    CHECK(played.most >= 64);
    CHECK(played.most < 2000);
    CHECK(run.makespan.si() == near(truth, 1e-3));
  }
  TEST_CASE("A run that never settles is played whole") {
    Played played([](std::uint32_t i) { return 1.0 + i; });
    CHECK(engine::steady_run(100, 1e-3, std::ref(played)).makespan.si() == near(5050.0, 1e-12));
    CHECK(played.most == 100);
  }
  TEST_CASE("A short run is played whole and one without marked iterations is refused") {
    Played played([](std::uint32_t) { return 1.0; });
    engine::steady_run(15, 0.1, std::ref(played));
    CHECK(played.most == 15);
    CHECK_THROWS_WITH_AS(engine::steady_run(100, 0.1, [](std::uint32_t) { return RunResult{}; }),
                         "steady: the program marks no iterations, or some of them take no time (kernels with "
                         "'iterations' do). Remove 'steady'?",
                         InputError);
  }
}
