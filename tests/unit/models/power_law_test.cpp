#include <doctest/doctest.h>

#include <cmath>
#include <deque>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using test::near;

namespace {

const ModelEntry& entry() { return models().at("power-law", "test"); }

/// Runs of a kernel with a parameter 'points' and a number of ranks, whose times the test makes up.
class Runs {
 public:
  const PredictionInput& add(std::int64_t points, std::uint32_t ranks = 4) {
    test::Run& run = runs_.emplace_back();
    run.kernel = "wave2d";
    run.parameters = Parameters({count_key("points", 1, "a side")});
    run.parameters.set("points", std::to_string(points), "test");
    run.settings = {{"layout.ranks", std::to_string(ranks)}};
    run.layout.placements.resize(ranks);
    inputs_.push_back(run.input());
    return inputs_.back();
  }
  void time(Seconds makespan, Seconds compared = {}) { timed_.push_back({inputs_.back(), makespan, compared}); }

  /// The inputs that have a time, and those that have none.
  std::vector<PredictionInput> fitted() const {
    std::vector<PredictionInput> all;
    for (const auto& run : timed_) all.push_back(run.input);
    return all;
  }
  std::unique_ptr<RunModel> model(const std::string& variant) const { return entry().fit_runs(variant, timed_); }
  test::Run& last() { return runs_.back(); }

 private:
  std::deque<test::Run> runs_;  // inputs refer to these
  std::deque<PredictionInput> inputs_;
  std::vector<TimedRun> timed_;
};

/// 2 ms and 3 ns per point of a square.
Seconds square_law(double n) { return Seconds(2e-3 + 3e-9 * n * n); }

Runs squares(std::initializer_list<std::int64_t> sides) {
  Runs runs;
  for (const auto n : sides) {
    runs.add(n);
    runs.time(square_law(static_cast<double>(n)));
  }
  return runs;
}

std::string message_of(const std::function<void()>& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

const std::string over_points = "over=kernel.points";

}  // namespace

TEST_SUITE("models/power-law") {
  TEST_CASE("A power law finds the constant the factor and the exponent of times that follow one") {
    Runs runs = squares({256, 512, 2048, 4096});
    const auto model = runs.model(over_points);
    std::vector<Explanation> steps;
    const Seconds time = model->time(runs.add(1024), &steps);
    CHECK(time / square_law(1024) == near(1.0, 1e-6));
    REQUIRE(steps.size() == 2);
    CHECK(steps[0].cost / 2_ms == near(1.0, 1e-5));
    CHECK(steps[1].text == "3e-09 s * 1024^2, kernel.points 1024");
    CHECK((steps[0].cost + steps[1].cost) / time == near(1.0, 1e-12));
    CHECK(model->notes(runs.add(1024)) ==
          std::vector<std::string>{"T = 0.002 s + 3e-09 s * x^2 through 4 runs, within 0.1 % of each"});
  }
  TEST_CASE("A power law over the ranks finds perfect strong scaling on top of what stays") {
    Runs runs;
    for (const std::uint32_t p : {2u, 4u, 16u, 64u}) {
      runs.add(100, p);
      runs.time(Seconds(1.0), Seconds(0.5 + 8.0 / p));
    }
    const auto model = runs.model(std::string("over=ranks of=phase"));
    CHECK_FALSE(model->predicts_run());
    CHECK(model->time(runs.add(100, 8)).si() == near(1.5, 1e-6));
    const auto constant = runs.model(std::string("over=ranks"));
    CHECK(constant->predicts_run());
    CHECK(constant->time(runs.add(100, 8)).si() == near(1.0, 1e-9));
  }
  TEST_CASE("A power law refuses to extrapolate unless it is told to and then says so") {
    Runs runs = squares({256, 512, 1024});
    const auto fitted = runs.fitted();
    const std::vector<PredictionInput> beyond{runs.add(4096)};
    const char* refusal =
        "power-law: kernel.points 4096 lies outside the fitted range 256..1024 (no extrapolation). Fit to it too, or "
        "set 'extrapolate: true'?";
    CHECK_THROWS_WITH_AS(entry().check_runs(over_points, fitted, beyond), refusal, DomainError);
    CHECK_THROWS_WITH_AS(runs.model(over_points)->time(beyond[0]), refusal, DomainError);
    const auto daring = std::string("over=kernel.points extrapolate=true");
    CHECK_NOTHROW(entry().check_runs(daring, fitted, beyond));
    const auto model = runs.model(daring);
    CHECK(model->time(beyond[0]) / square_law(4096) == near(1.0, 1e-4));
    const auto notes = model->notes(beyond[0]);
    REQUIRE(notes.size() == 2);
    CHECK(notes[0] == "extrapolated: fitted to kernel.points 256..1024");
    CHECK(notes[1].ends_with("through 3 runs, which fix its three numbers: none is left to judge it by"));
  }
  TEST_CASE("Runs that differ in anything but x have curves of their own") {
    Runs runs;
    for (const std::uint32_t ranks : {4u, 8u})
      for (const std::int64_t n : {10, 20, 40}) {
        runs.add(n, ranks);
        runs.time(Seconds(static_cast<double>(ranks * n)));
      }
    const auto model = runs.model(over_points);
    CHECK(model->time(runs.add(30, 4)).si() == near(120.0, 1e-6));
    CHECK(model->time(runs.add(30, 8)).si() == near(240.0, 1e-6));
    const std::vector<PredictionInput> other{runs.add(30, 16)};
    CHECK_THROWS_WITH_AS(entry().check_runs(over_points, runs.fitted(), other),
                         "power-law: no fitted run has layout.ranks '16' (fitted: 4, 8). Name one with it in 'fit-on'?",
                         DomainError);
    CHECK_THROWS_AS(model->time(other[0]), DomainError);
  }
  TEST_CASE("A power law needs three values of something that is a number of the run") {
    Runs two = squares({256, 512, 512});
    CHECK(message_of([&] { entry().check_runs(over_points, two.fitted(), {}); }) ==
          "power-law: 2 values of kernel.points cannot fit a curve (3 or more). Name more runs in 'fit-on'?");
    CHECK(message_of([&] { entry().check_runs(over_points, {}, {}); }) ==
          "power-law: 0 values of kernel.points cannot fit a curve (3 or more). Name more runs in 'fit-on'?");
    CHECK(message_of([&] { entry().check_runs(std::string("over=kernel.point"), two.fitted(), {}); }) ==
          "power-law: 'over' is 'kernel.point' (known: kernel.points, ranks). Did you mean 'kernel.points'?");
    Runs none = squares({0, 1, 2});
    CHECK(message_of([&] { entry().check_runs(over_points, none.fitted(), {}); }) ==
          "power-law: kernel.points 0 has no power (greater than 0). Fit to other runs?");
  }
}
