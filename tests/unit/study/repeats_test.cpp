#include "sim/study/play/repeats.hpp"

#include <doctest/doctest.h>

#include <set>

#include "sim/core/error.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/point.hpp"

using namespace orrery;
using namespace orrery::study;

namespace {

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
          "the run has no random part (noise, host-spread, day-spread of the compute model; overhead-variation, "
          "start-skew of "
          "the platform; routing other than deterministic; random placement on some of the nodes), so that all "
          "repetitions "
          "would be equal: played once");
    const auto some = repeated(scenario_with({"compute.noise=[0, 0.1]"}), 3);
    REQUIRE(some.scenario);
    CHECK(some.scenario->points.size() == 4);
    CHECK(some.first == std::vector<std::size_t>{0, 1, 4});
    CHECK(some.note.starts_with("1 of 2 points have no random part"));
    CHECK_FALSE(repeated(scenario_with({"compute.noise=0.1"}), 1).scenario);
  }

  TEST_CASE("Random placement is drawn anew with each seed and so is the order of all nodes") {
    const auto repeats = repeated(scenario_with({"layout={ranks: 4, per-node: 1, placement: random, seed: 3}"}), 3);
    REQUIRE(repeats.scenario);
    CHECK(repeats.seeds == std::vector<std::vector<std::int64_t>>{{3, 4, 5}});
    CHECK_FALSE(repeats.scenario->points[0].layout.seed);
    CHECK(repeats.scenario->points[2].layout.seed == 5);
    PointLoader loader("", "flow");
    std::set<std::string> placed;
    for (std::size_t play = 0; play < 3; ++play) placed.insert(loader.load(repeats.scenario->points[play]).id);
    CHECK(placed.size() == 3);
    const auto drawn_of_all = [](const char* layout) {
      return repeated(scenario_with({layout}), 3).scenario.has_value();
    };
    CHECK(drawn_of_all("layout={per-node: 1, placement: random}"));
    CHECK_FALSE(drawn_of_all("layout={ranks: 4, per-node: 1, placement: contiguous}"));
  }

  TEST_CASE("Repetitions have a median of the run and of each phase and show the run that took the first") {
    const auto repeats = repeats_of({4, 5, 6}, {run_of(10.0, 4.0), run_of(14.0, 5.0), run_of(12.0, 6.0)});
    CHECK(repeats.shown == 6);
    CHECK(repeats.of_phase("")->median == Seconds(12.0));
    CHECK(repeats.of_phase("communication")->median == Seconds(5.0));
    CHECK(repeats.of_phase("communication")->times == std::vector<Seconds>{Seconds(4.0), Seconds(5.0), Seconds(6.0)});
  }

  TEST_CASE("A repeated point is the run of median makespan on the nodes that this run had") {
    const auto scenario = scenario_with({"layout={ranks: 4, per-node: 1, placement: random}", "compute.noise=0.2"});
    const ScenarioResult result = run_scenario(scenario, {.jobs = 1, .progress = false, .repeat = 5}).result;
    const PointResult& point = result.points.front();
    REQUIRE(point.repeats);
    CHECK(point.repeats->seeds.size() == 5);
    CHECK(point.run.makespan == point.repeats->of_phase("")->median);
    CHECK(*point.simulated == point.repeats->of_phase(point.compared_phase)->median);
    PointLoader loader("", scenario.engine);
    const auto plays = repeated(scenario, 5);
    const auto shown = static_cast<std::size_t>(point.repeats->shown - point.repeats->seeds.front());
    const auto of_shown = loader.load(plays.scenario->points[shown]), of_first = loader.load(scenario.points[0]);
    CHECK(point.id == of_first.id);
    for (std::uint32_t rank = 0; rank < 4; ++rank)
      CHECK(point.layout.of(Rank{rank}).node == of_shown.layout.of(Rank{rank}).node);
  }

  TEST_CASE("A number of repetitions outside its range is refused") {
    CHECK_THROWS_WITH_AS(repeat_of(0), "--repeat: '0' is outside 1..10000. Write '--repeat 10'?", InputError);
    CHECK(repeat_of(10) == 10);
  }
}
