#include "sim/study/judge/tolerances.hpp"

#include <doctest/doctest.h>

#include <limits>

#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

using Conditions = PointConditions;

/// Two networks, one prediction each: 1 s simulated and published, 3 s in all, `predicted` seconds predicted.
struct Sample {
  Scenario scenario;
  ScenarioResult result;

  explicit Sample(double predicted) {
    std::vector<PointSpec> specs;
    for (const char* network : {"infiniband", "ethernet"}) {
      PointSpec spec;
      spec.settings = {{"network", network}};
      spec.flat = {{"network", network}, {"kernel.blocks", "128"}};
      specs.push_back(spec);
      PointResult point;
      point.settings = {{"network", network}};
      point.simulated = Seconds(1.0);
      point.published_time_s = 1.0;
      point.run.makespan = Seconds(3.0);
      point.run.phases.resize(1);
      point.run.engine = "flow";
      point.predictions = {{.model = "taulop", .mode = "timeline", .time = Seconds(predicted), .terms = {}}};
      result.points.push_back(point);
    }
    scenario.points = Points(std::move(specs));
  }
  Tolerance& tolerate(ToleranceOf of, ToleranceAgainst against, ToleranceBound bound, const Conditions& where = {}) {
    Tolerance tolerance;
    tolerance.of = of;
    tolerance.against = against;
    tolerance.bound = bound;
    tolerance.where_equal = where;
    tolerance.where = "s.yaml:9:3";
    if (of == ToleranceOf::prediction || of == ToleranceOf::average) tolerance.model = "taulop";
    return scenario.tolerances.emplace_back(tolerance);
  }
  Tolerance& tolerate_mu(double mu, const Conditions& where = {}) {
    return tolerate(ToleranceOf::prediction, ToleranceAgainst::simulated, {true, mu}, where);
  }
  const std::vector<std::string>& judged() {
    result.tolerances.clear();
    result.broken_tolerances.clear();
    study::apply_tolerances(result, scenario);
    return result.broken_tolerances;
  }
};

using Broken = std::vector<std::string>;

}  // namespace

TEST_SUITE("app/tolerances") {
  TEST_CASE("A tolerance of a prediction is broken by each point whose mu lies above it") {
    Sample sample(1.5);
    sample.tolerate_mu(1.5);
    CHECK(sample.judged().empty());
    sample.tolerate_mu(1.4, {{"network", {"ethernet"}}});
    CHECK(sample.judged() ==
          Broken{"s.yaml:9:3: taulop (timeline) predicts 1.5 s, simulated is 1 s: mu 1.5 (tolerance 1.4) at "
                 "ethernet"});
    sample.scenario.tolerances.back().mode = "algebra";
    CHECK(sample.judged() == Broken{"s.yaml:9:3: there is no prediction to hold this tolerance against"});
  }
  TEST_CASE("A tolerance of a metric holds its value where it is published and says so where none is") {
    Sample sample(1.0);
    sample.result.points[0].metrics = {{"speed-up", 8.0, "", 10.0}};
    sample.result.points[1].metrics = {{"speed-up", 8.0, ""}};
    sample.tolerate(ToleranceOf::metric, ToleranceAgainst::published, {false, 0.2}).metric = "speed-up";
    CHECK(sample.judged().empty());
    sample.scenario.tolerances.back().bound.value = 0.1;
    CHECK(sample.judged() ==
          Broken{"s.yaml:9:3: speed-up is 8, published is 10: 20 % apart (tolerance 10 %) at infiniband"});
    CHECK(sample.result.tolerances.front().metric == "speed-up");
    sample.scenario.tolerances.back().metric = "rounds";
    CHECK(sample.judged() ==
          Broken{"s.yaml:9:3: nothing that meets this tolerance's conditions has a published rounds"});
  }
  TEST_CASE("A window holds a difference from both sides") {
    Sample sample(1.0);
    sample.result.points[0].simulated = Seconds(0.9);
    sample.tolerate(ToleranceOf::simulated, ToleranceAgainst::published, {false, 0.05}, {{"network", {"infiniband"}}})
        .bound.least = -0.15;
    CHECK(sample.judged().empty());
    CHECK(sample.result.tolerances[0].worst == near(-0.1));
    sample.scenario.tolerances.back().bound.least = -0.08;
    CHECK(sample.judged() ==
          Broken{"s.yaml:9:3: simulated is 900 ms, published is 1 s: 10 % below (tolerance -8 % to 5 "
                 "%) at infiniband"});
    sample.result.points[0].simulated = Seconds(1.2);
    CHECK(sample.judged() == Broken{"s.yaml:9:3: simulated is 1.2 s, published is 1 s: 20 % above (tolerance -8 % to 5 "
                                    "%) at infiniband"});
    sample.scenario.tolerances.back().bound.value = 0.3;
    sample.scenario.tolerances.back().bound.least = 0.25;  // now it is too good: the cause must be looked at again
    CHECK(sample.judged().size() == 1);
  }
  TEST_CASE("The median of all differences is bounded besides the greatest") {
    Sample sample(1.0);
    sample.result.points[0].simulated = Seconds(1.1);
    sample.result.points[1].simulated = Seconds(1.02);
    sample.tolerate(ToleranceOf::simulated, ToleranceAgainst::published, {false, 0.11}).bound.median = 0.07;
    CHECK(sample.judged().empty());
    CHECK(sample.result.tolerances[0].median == near(0.06));
    sample.scenario.tolerances.back().bound.median = 0.05;
    CHECK(sample.judged() == Broken{"s.yaml:9:3: the median of 2 differences is 6 % (tolerance 5 %)"});
    CHECK(sample.result.tolerances[0].broken);
  }
  TEST_CASE("A tolerance of several values of a setting is of the points that have one of them") {
    Sample sample(1.5);
    sample.tolerate_mu(1.6, {{"network", {"infiniband", "ethernet"}}});
    CHECK(sample.judged().empty());
    CHECK(sample.result.tolerances[0].compared == 2);
    CHECK(sample.result.tolerances[0].conditions == Settings{{"network", "infiniband, ethernet"}});
    sample.scenario.tolerances.back().where_equal = {{"network", {"infiniband", "myrinet"}}};
    CHECK(sample.judged().empty());
    CHECK(sample.result.tolerances[0].compared == 1);
  }
  TEST_CASE("A tolerance of the simulated time against the published one is a share of the published one") {
    Sample sample(1.0);
    sample.result.points[1].simulated = Seconds(1.02);
    sample.tolerate(ToleranceOf::simulated, ToleranceAgainst::published, {false, 0.0201});
    CHECK(sample.judged().empty());
    sample.scenario.tolerances.back().bound.value = 0.01;
    CHECK(sample.judged() ==
          Broken{"s.yaml:9:3: simulated is 1.02 s, published is 1 s: 2 % apart (tolerance 1 %) at ethernet"});
    sample.result.points[1].simulated = Seconds(0.98);
    CHECK(sample.judged().size() == 1);
    sample.result.points[1].published_time_s.reset();
    CHECK(sample.judged().empty());
    sample.result.points[0].published_time_s.reset();
    CHECK(sample.judged() == Broken{"s.yaml:9:3: nothing that meets this tolerance's conditions has a published time"});
  }
  TEST_CASE("A makespan that drifts by one percent from its reference breaks a tolerance of half a percent") {
    Sample sample(1.0);
    Tolerance& tolerance = sample.tolerate(ToleranceOf::makespan, ToleranceAgainst::reference, {false, 0.005});
    tolerance.reference = 3.0;
    CHECK(sample.judged().empty());
    sample.result.points[0].run.makespan = Seconds(3.03);
    CHECK(sample.judged() ==
          Broken{"s.yaml:9:3: makespan is 3.03 s, reference is 3 s: 1 % apart (tolerance 0.5 %) at infiniband"});
    sample.result.points[0].run.makespan = Seconds(2.97);
    CHECK(sample.judged().size() == 1);
  }
  TEST_CASE("A reference is that of the file as it stands and is left out when a value of it was changed") {
    Sample sample(9.0);
    sample.tolerate(ToleranceOf::simulated, ToleranceAgainst::reference, {false, 0.005}).reference = 7.0;
    CHECK(sample.judged().size() == 2);
    sample.scenario.changed = true;
    CHECK(sample.judged().empty());
    CHECK(sample.result.tolerances.empty());
    CHECK(sample.result.notes.back() ==
          "1 of 1 tolerances was not judged: it is a reference value of the scenario as it is "
          "written, and --set changes it");
    sample.tolerate_mu(2.0);
    CHECK(sample.judged().size() == 2);  // a prediction is judged all the same
    sample.scenario.tolerances.back().where_equal = {{"kernel.blocks", {"256"}}};
    CHECK(sample.judged().empty());  // and may be of nothing, which counts neither as kept nor as broken
    CHECK(sample.result.tolerances.empty());
  }
  TEST_CASE("A run that a model was fitted to meets no tolerance") {
    Sample sample(1.5);
    sample.tolerate_mu(1.4);
    for (auto& point : sample.result.points) point.predictions[0].fitted = true;
    CHECK(sample.judged() == Broken{"s.yaml:9:3: there is no prediction to hold this tolerance against"});
  }
  TEST_CASE("A prediction of the whole run is held against the makespan and has no published time") {
    Sample sample(3.0);
    for (auto& point : sample.result.points) {
      point.predictions[0].of_run = true;
      point.run.makespan = Seconds(2.0);
    }
    sample.tolerate_mu(1.5);
    CHECK(sample.judged().empty());
    sample.scenario.tolerances.back().bound.value = 1.4;
    CHECK(sample.judged().size() == 2);
    sample.scenario.tolerances.clear();
    sample.tolerate(ToleranceOf::prediction, ToleranceAgainst::published, {true, 9.0});
    for (auto& point : sample.result.points) point.published_time_s = 1.0;
    REQUIRE(sample.judged().size() == 1);
    CHECK(sample.judged()[0].starts_with("s.yaml:9:3: nothing that meets this tolerance's conditions"));
  }
  TEST_CASE("A tolerance of an average bounds it or holds it against the published one or a reference") {
    Sample sample(1.0);
    sample.result.averages = {{.settings = {}, .model = "taulop", .mode = "timeline", .points = 2, .mu = 1.3}};
    sample.tolerate(ToleranceOf::average, ToleranceAgainst::simulated, {true, 1.2});
    REQUIRE(sample.judged().size() == 1);
    CHECK(sample.judged()[0].starts_with("s.yaml:9:3: taulop (timeline) has an average mu of 1.3 (tolerance 1.2) at "));
    sample.scenario.tolerances.back().bound.value = 1.4;
    CHECK(sample.judged().empty());
    sample.scenario.tolerances.clear();
    sample.tolerate(ToleranceOf::average, ToleranceAgainst::published, {false, 0.1});
    CHECK(sample.judged() ==
          Broken{"s.yaml:9:3: nothing that meets this tolerance's conditions has a published average"});
    sample.result.averages[0].published_mu = 1.0;
    REQUIRE(sample.judged().size() == 1);
    CHECK(sample.judged()[0].starts_with(
        "s.yaml:9:3: taulop (timeline) has an average mu of 1.3, published is 1: 30 % apart (tolerance 10 %) at "));
    sample.scenario.tolerances.back().bound = {true, 1.2};
    REQUIRE(sample.judged().size() == 1);  // of both, as of any other two numbers
    CHECK(sample.judged()[0].starts_with(
        "s.yaml:9:3: taulop (timeline) has an average mu of 1.3, published is 1: mu 1.3 (tolerance 1.2) at "));
    sample.scenario.tolerances.back().bound = {false, 0.1};
    sample.scenario.tolerances.back().against = ToleranceAgainst::reference;
    sample.scenario.tolerances.back().reference = 1.29;
    CHECK(sample.judged().empty());
  }
  TEST_CASE("A prediction that is no number breaks every tolerance") {
    Sample sample(std::numeric_limits<double>::quiet_NaN());
    sample.tolerate_mu(1e6);
    CHECK(sample.judged().size() == 2);
    CHECK(sample.result.tolerances[0].broken);
  }
  TEST_CASE("A point that could not be simulated breaks the tolerances it should have met") {
    Sample sample(1.0);
    sample.tolerate_mu(2.0);
    sample.result.points[1].simulated.reset();
    sample.result.points[1].failure = "rank 0 waits for tag 7 from rank 1";
    CHECK(sample.judged() == Broken{"s.yaml:9:3: ethernet could not be simulated: rank 0 waits for tag 7 from rank 1"});
  }
  TEST_CASE("A tolerance whose conditions no point meets is broken") {
    Sample sample(1.0);
    sample.tolerate_mu(2.0, {{"kernel.blocks", {"256"}}});
    CHECK(sample.judged() == Broken{"s.yaml:9:3: this tolerance matches no point"});
  }
  TEST_CASE("What is kept of a tolerance says how many points it is of and which came nearest to its bound") {
    Sample sample(1.25);
    sample.result.points[1].predictions[0].time = Seconds(0.5);
    sample.tolerate_mu(2.5, {{"kernel.blocks", {"128.0"}}});
    CHECK(sample.judged().empty());
    REQUIRE(sample.result.tolerances.size() == 1);
    const ToleranceCheck& check = sample.result.tolerances[0];
    CHECK(check.compared == 2);
    CHECK(check.worst == near(2.0));
    CHECK(check.worst_at == "ethernet");
    CHECK(check.conditions == Settings{{"kernel.blocks", {"128.0"}}});
    CHECK_FALSE(check.broken);
  }
}
