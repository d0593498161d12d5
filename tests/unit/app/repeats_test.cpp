#include "sim/app/run/repeats.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using namespace orrery::app;
using test::near;

namespace {

std::vector<Seconds> seconds(int n) {
  std::vector<Seconds> times;
  for (int k = n; k >= 1; --k) times.emplace_back(k);
  return times;
}

Scenario scenario_with(const std::vector<std::string>& overrides) {
  return parse_scenario(
      config::parse_yaml("source: x\nplatform: fermi\nnetwork: ethernet\nlayout: {ranks: 2}\nkernel: {name: stencil}\n",
                         "s.yaml"),
      "s.yaml", overrides);
}

RunResult run_of(double makespan_s, double communication_s) {
  RunResult run;
  run.makespan = Seconds(makespan_s);
  run.phases.push_back({"communication", 0, Seconds(communication_s), Rank{0}, {}, Seconds(makespan_s), {}});
  return run;
}

}  // namespace

TEST_SUITE("app/repeats") {
  TEST_CASE("The mean of four times lies within Student's t times its standard error") {
    const auto time = repeated_time("", seconds(4));
    CHECK(time.mean == near(Seconds(2.5)));
    // t(3, 0.975) = 3.182446, s = sqrt(5/3)
    CHECK((time.mean_within.most - time.mean) == near(Seconds(3.182446305 * 0.6454972244), 1e-8));
    CHECK((time.mean - time.mean_within.least) == near(Seconds(3.182446305 * 0.6454972244), 1e-8));
    CHECK(repeated_time("", seconds(2)).mean_within.most == near(Seconds(1.5 + 12.70620474 * 0.5), 1e-8));
  }

  TEST_CASE("The median lies between order statistics and six times are the fewest that say where") {
    CHECK(repeated_time("", seconds(4)).median == Seconds(2.5));
    CHECK_FALSE(repeated_time("", seconds(5)).median_within);
    const auto six = repeated_time("", seconds(6));
    REQUIRE(six.median_within);
    CHECK(six.median_within->least == Seconds(1.0));
    CHECK(six.median_within->most == Seconds(6.0));
    const auto nine = repeated_time("", seconds(9));  // 2 P(B(9, 1/2) < 2) = 0.039
    CHECK(nine.median == Seconds(5.0));
    REQUIRE(nine.median_within);
    CHECK(nine.median_within->least == Seconds(2.0));
    CHECK(nine.median_within->most == Seconds(8.0));
  }

  TEST_CASE("Equal times have a mean without width") {
    const auto time = repeated_time("", {Seconds(2.0), Seconds(2.0), Seconds(2.0)});
    CHECK(time.mean_within.least == Seconds(2.0));
    CHECK(time.mean_within.most == Seconds(2.0));
  }

  TEST_CASE("A point with noise is played once for each seed and keeps its settings") {
    const auto repeats = repeated(scenario_with({"compute.noise=0.1", "compute.seed=7"}), 3);
    REQUIRE(repeats.scenario);
    REQUIRE(repeats.scenario->points.size() == 3);
    CHECK(repeats.seeds == std::vector<std::vector<std::int64_t>>{{7, 8, 9}});
    CHECK(repeats.scenario->points[2].flat.at("compute.seed") == "9");
    CHECK(repeats.scenario->points[2].settings.empty());
    CHECK(repeats.note.empty());
  }

  TEST_CASE("Points without a random part are played once and that is said") {
    const auto none = repeated(scenario_with({}), 3);
    CHECK_FALSE(none.scenario);
    CHECK(none.note ==
          "the run has no random part (noise, host-spread, day-spread of the compute model; overhead-variation of the "
          "platform; routing other than deterministic), so that all repetitions would be equal: played once");
    const auto some = repeated(scenario_with({"compute.noise=[0, 0.1]"}), 3);
    REQUIRE(some.scenario);
    CHECK(some.scenario->points.size() == 4);
    CHECK(some.first == std::vector<std::size_t>{0, 1, 4});
    CHECK(some.note.starts_with("1 of 2 points have no random part"));
    CHECK_FALSE(repeated(scenario_with({"compute.noise=0.1"}), 1).scenario);
  }

  TEST_CASE("The simulated time of a repeated point is the mean of its compared phase") {
    PointResult point;
    point.compared_phase = "communication";
    point.run = run_of(10.0, 4.0);
    point.simulated = Seconds(4.0);
    add_repeats(point, {1, 2}, {run_of(14.0, 6.0)});
    CHECK(*point.simulated == near(Seconds(5.0)));
    REQUIRE(point.repeats);
    CHECK(point.repeats->of_phase("")->mean == near(Seconds(12.0)));
    CHECK(point.repeats->of_phase("communication")->times == std::vector<Seconds>{Seconds(4.0), Seconds(6.0)});
    CHECK(point.run.makespan == Seconds(10.0));
  }

  TEST_CASE("A number of repetitions outside its range is refused") {
    CHECK_THROWS_WITH_AS(repeat_of(0), "--repeat: '0' is outside 1..10000. Write '--repeat 10'?", InputError);
    CHECK(repeat_of(10) == 10);
  }
}
