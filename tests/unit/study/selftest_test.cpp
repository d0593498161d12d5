// What `orrery selftest` accepts and what it calls broken. That the checks themselves hold: tests/cli/selftest.sh.
#include "sim/study/play/selftest.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"

using namespace orrery;

namespace {

ScenarioResult of_one_point(double makespan_s, double predicted_s) {
  ScenarioResult result{.name = "one"};
  PointResult point;
  point.simulated = Seconds(makespan_s);
  point.run.makespan = Seconds(makespan_s);
  point.predictions.push_back({.model = "taulop", .mode = "timeline", .time = Seconds(predicted_s)});
  result.points.push_back(point);
  result.tolerances.emplace_back();
  return result;
}

}  // namespace

TEST_SUITE("app/selftest") {
  TEST_CASE("A scenario of the self-test is broken by a tolerance and by stating none") {
    ScenarioResult result = of_one_point(2e-3, 2e-3);
    CHECK(study::all_hold(result) == "1 points, 1 tolerances hold");
    result.broken_tolerances.push_back("s.yaml:7: mu is 1.3 (at most 1.2)");
    CHECK_THROWS_WITH_AS(study::all_hold(result), "s.yaml:7: mu is 1.3 (at most 1.2)", BoundError);
    result.broken_tolerances.clear();
    result.tolerances.clear();
    CHECK_THROWS_WITH_AS(study::all_hold(result), "one: states no tolerance, so nothing was checked", BoundError);
  }

  TEST_CASE("A point that could not finish breaks the self-test on either engine") {
    ScenarioResult result = of_one_point(2e-3, 2e-3);
    result.points.front().other_engine = EngineDifference{.engine = "flow", .failure = "deadlock"};
    CHECK_THROWS_WITH_AS(study::all_hold(result), "one: engine flow: deadlock", BoundError);
    result.points.front().failure = "no memory";
    CHECK_THROWS_WITH_AS(study::all_hold(result), "one: no memory", BoundError);
  }

  TEST_CASE("A prediction of the self-test lies within its share or is broken") {
    CHECK(study::predicted_within(of_one_point(2e-3, 2.001e-3), 1e-3) ==
          "taulop (timeline) predicts 2001 us, simulated are 2000 us");
    CHECK_THROWS_WITH_AS(study::predicted_within(of_one_point(2e-3, 2.1e-3), 1e-3),
                         "taulop (timeline) predicts 2100 us, simulated are 2000 us: 0.05 apart (at most 0.001)",
                         BoundError);
  }

  TEST_CASE("A trace that takes another time than its program breaks the self-test") {
    CHECK(study::same_makespan(of_one_point(2e-3, 0), of_one_point(2e-3, 0)) == "program and trace take 2 ms");
    CHECK_THROWS_AS(study::same_makespan(of_one_point(2e-3, 0), of_one_point(2.0000001e-3, 0)), BoundError);
  }
}
