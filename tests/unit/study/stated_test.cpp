#include "sim/study/read/stated.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "sim/study/read/scenario.hpp"

using namespace orrery;

namespace {

Scenario read(const std::string& rest, const std::vector<std::string>& overrides = {}) {
  const std::string head =
      "source: a test\n"
      "platform: fermi\n"
      "network: infiniband\n"
      "layout: {ranks: 4, per-node: 1}\n"
      "kernel: {name: broadcast, message: 64KiB}\n"
      "models: [taulop, hockney]\n";
  return parse_scenario(config::parse_yaml(head + rest, "s.yaml"), "s.yaml", overrides);
}

Tolerance tolerance(const std::string& entry) { return read("tolerance: [" + entry + "]\n").tolerances.at(0); }

void refuses(const std::string& entry, const char* message) {
  CHECK_THROWS_WITH_AS(tolerance(entry), message, InputError);
}

}  // namespace

TEST_SUITE("scenario/stated") {
  TEST_CASE("A tolerance that says no more is of a prediction against the simulated time") {
    const Tolerance plain = tolerance("{model: taulop, mode: timeline, network: infiniband, mu: 1.5}");
    CHECK(plain.of == ToleranceOf::prediction);
    CHECK(plain.against == ToleranceAgainst::simulated);
    CHECK(plain.model == "taulop");
    CHECK(plain.mode == "timeline");
    CHECK(plain.where_equal == PointConditions{{"network", {"infiniband"}}});
    CHECK(plain.bound.is_mu);
    CHECK(plain.bound.value == 1.5);
    CHECK(plain.where == "s.yaml:7:13");
  }
  TEST_CASE("A tolerance says of what and against what and its share is in percent") {
    const Tolerance published = tolerance("{of: simulated, against: published, kernel.message: 64KiB, within: 2.5%}");
    CHECK(published.of == ToleranceOf::simulated);
    CHECK(published.against == ToleranceAgainst::published);
    CHECK_FALSE(published.bound.is_mu);
    CHECK(published.bound.value == 0.025);
    CHECK_FALSE(published.reference.has_value());
    const Tolerance reference = tolerance("{of: makespan, against: reference, time: 85.13ms, within: 0.5%}");
    CHECK(reference.of == ToleranceOf::makespan);
    CHECK(reference.reference == 85.13e-3);
    const Tolerance average = tolerance("{of: average, model: hockney, against: reference, mu: 1.25, within: 1%}");
    CHECK(average.of == ToleranceOf::average);
    CHECK(average.reference == 1.25);
    CHECK_FALSE(average.bound.is_mu);
    CHECK(average.bound.value == 0.01);
  }
  TEST_CASE("A tolerance states one bound and each thing that its scope needs") {
    refuses("{model: taulop}",
            "s.yaml:7:13: a tolerance states one bound, 'mu', 'within' or 'between'. Write 'within: 5%'?");
    refuses("{model: taulop, mu: 1.5, within: 5%}",
            "s.yaml:7:33: a tolerance states one bound, 'mu', 'within' or 'between'. Write 'within: 5%'?");
    refuses("{model: taulop, between: [-5%, 5%], within: 5%}",
            "s.yaml:7:13: a tolerance states one bound, 'mu', 'within' or 'between'. Write 'within: 5%'?");
    refuses("{mu: 1.5}", "s.yaml:7:13: a tolerance of a prediction has no 'model'. Add 'model: ...'?");
    refuses("{of: average, mu: 1.5}", "s.yaml:7:18: a tolerance of an average has no 'model'. Add 'model: ...'?");
    refuses("{of: simulated, model: taulop, against: published, within: 5%}",
            "s.yaml:7:36: 'simulated' is simulated and has no 'model' (prediction and average have). Write 'of: "
            "prediction'?");
    refuses("{of: simulated, within: 5%}",
            "s.yaml:7:18: 'simulated' is held against itself (published, reference). Add 'against: published'?");
    refuses("{of: makespan, against: published, within: 5%}",
            "s.yaml:7:37: published times are those of the compared phase and not of the makespan. Write 'of: "
            "simulated'?");
    refuses("{of: simulated, against: reference, within: 5%}",
            "s.yaml:7:38: the reference value itself is missing. Add 'time: ...'?");
    refuses("{of: average, model: taulop, against: reference, within: 5%}",
            "s.yaml:7:51: the reference value itself is missing. Add 'mu: ...'?");
    refuses("{model: taulop, time: 1s, mu: 2}",
            "s.yaml:7:35: a 'time' is a reference value here and nothing is held against one. Write 'against: "
            "reference'?");
  }
  TEST_CASE("A tolerance may be a window with a median and say why and be of several values of a setting") {
    const Tolerance window = tolerance(
        "{of: simulated, against: published, kernel.message: [64KiB, 1MiB], between: [-12.5%, 3%], median: 4%, why: "
        "\"another rate\"}");
    CHECK_FALSE(window.bound.is_mu);
    CHECK(window.bound.least == -0.125);
    CHECK(window.bound.value == 0.03);
    CHECK(window.bound.median == 0.04);
    CHECK(window.why == "another rate");
    CHECK(window.where_equal == PointConditions{{"kernel.message", {"64KiB", "1MiB"}}});
    CHECK_FALSE(tolerance("{model: taulop, mu: 1.5}").bound.least.has_value());
    refuses("{of: simulated, against: published, between: [3%, -5%]}",
            "s.yaml:7:58: 'between' is a list (two shares in percent expected, the smaller first). Write '[-5%, 2%]'?");
    refuses("{of: simulated, against: published, between: [3%]}",
            "s.yaml:7:58: 'between' is a list (two shares in percent expected, the smaller first). Write '[-5%, 2%]'?");
    refuses(
        "{model: taulop, overhead: [once, per-slice], mu: 2}",
        "s.yaml:7:39: 'overhead' of 'taulop' has 2 values (a statement is of one variant of a model). Write one for "
        "each?");
    refuses("{of: simulated, against: published, within: 5%, network: []}",
            "s.yaml:7:70: 'network' is a list (no point has one of no values). Name a value, or leave the key out?");
  }
  TEST_CASE("A word or a share of a tolerance that is none is refused with those that are") {
    refuses("{of: simulation, against: published, within: 5%}",
            "s.yaml:7:18: 'of' is 'simulation' (known: average, makespan, metric, prediction, simulated). Did you mean "
            "'simulated'?");
    refuses("{of: simulated, against: measured, within: 5%}",
            "s.yaml:7:38: 'against' is 'measured' (known: published, reference, simulated).");
    refuses("{of: simulated, against: published, within: 0.05}",
            "s.yaml:7:57: 'within' is '0.05' (a share in percent expected). Write '5%'?");
    refuses("{of: simulated, against: published, within: -5%}",
            "s.yaml:7:57: 'within' is '-5%' outside 0%..1000%. Choose a value inside?");
    refuses(
        "{model: taulop, mode: timelin, mu: 1.5}",
        "s.yaml:7:35: model 'taulop' has no mode 'timelin' (known: algebra, algebra-dropping, timeline). Did you mean "
        "'timeline'?");
  }
  TEST_CASE("A scenario knows whether anything but its engine was changed from outside") {
    CHECK_FALSE(read("").changed);
    CHECK_FALSE(read("", {"engine=flow"}).changed);
    CHECK_FALSE(read("", {"tolerance=[]"}).changed);
    CHECK(read("", {"engine=flow", "network=ethernet"}).changed);
  }

  TEST_CASE("A tolerance of a metric names it and holds it against what is published or stated") {
    const auto read_one =
        read("tolerance: [{of: metric, metric: speed-up, against: reference, value: 9.5, within: 1%}]\n")
            .tolerances.front();
    CHECK(read_one.metric == "speed-up");
    CHECK(read_one.reference == 9.5);
    CHECK(read("tolerance: [{of: metric, metric: dividing, against: reference, time: 2ms, within: 1%}]\n")
              .tolerances.front()
              .reference == 2e-3);
    const auto says = [](const std::string& entry, const char* message) {
      CHECK_THROWS_WITH_AS(read("tolerance: [" + entry + "]\n"), message, InputError);
    };
    says("{of: metric, against: published, within: 1%}",
         "s.yaml:7:18: a tolerance of a metric does not say which. Add 'metric: ...'?");
    says("{of: makespan, metric: speed-up, against: reference, time: 1s, within: 1%}",
         "s.yaml:7:36: a tolerance of 'makespan' has no metric. Write 'of: metric'?");
    says("{of: metric, metric: speed-up, against: reference, within: 1%}",
         "s.yaml:7:53: the reference value itself is missing. Add 'value: ...'?");
    says("{of: metric, metric: speed-up, against: published, value: 2, within: 1%}",
         "s.yaml:7:71: a 'value' is the reference of a metric. Write 'of: metric, against: reference'?");
  }

  TEST_CASE("A published metric is a number of the run and no model's") {
    const auto published = read(
                               "published: [{metric: rounds, value: 4, why: \"printed rounded\"}, {metric: dividing, "
                               "time: 0.22s, network: infiniband}]\n")
                               .published;
    CHECK(published[0].metric == "rounds");
    CHECK(published[0].value == 4.0);
    CHECK(published[0].why == "printed rounded");
    CHECK(published[1].time_s == 0.22);
    CHECK(published[1].where_equal.size() == 1);
    const auto says = [](const std::string& entry, const char* message) {
      CHECK_THROWS_WITH_AS(read("published: [" + entry + "]\n"), message, InputError);
    };
    says("{metric: rounds, model: taulop, value: 4}",
         "s.yaml:7:22: metric 'rounds' and model 'taulop' are both named (only one is allowed). Remove one?");
    says("{metric: rounds}",
         "s.yaml:7:22: metric 'rounds' needs one of 'time' and 'value'. Add for example 'time: 3.4s'?");
    says("{model: taulop, value: 4}",
         "s.yaml:7:36: a published 'value' is of a metric and none is named. Add 'metric: ...'?");
  }
}
