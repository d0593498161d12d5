#include "sim/study/judge/printed_values.hpp"

#include <doctest/doctest.h>

#include "sim/study/judge/compare.hpp"
#include "sim/study/judge/tolerances.hpp"

using namespace orrery;

namespace {

/// Two sizes of a program with a metric, one model with averages over networks.
const char* const text = R"(
source: "a test"
platform: fermi
network: infiniband
layout: {ranks: 4, per-node: 1}
kernel: {name: broadcast, message: 64KiB}
models: [taulop]
average-over: network
sweep:
  kernel.message: [64KiB, 1MiB]
  network: [infiniband, ethernet]
published:
  - {metric: whole run, time: 2s, kernel.message: 64KiB, network: infiniband}
  - {metric: whole run, time: 3s, kernel.message: 1MiB, network: infiniband, why: "of another program"}
  - {model: measured, time: 1s, kernel.message: 1MiB, network: ethernet}
  - {model: taulop, mu: 1.2, kernel.message: 64KiB}
tolerance:
  - {of: metric, metric: whole run, against: published, kernel.message: 64KiB, mu: 3}
  - {of: metric, metric: whole run, against: published, kernel.message: 64KiB, between: [-50%, 60%], why: "a cause"}
  - {of: average, model: taulop, against: published, within: 20%}
)";

Scenario scenario(const std::string& of = text) {
  return parse_scenario(config::parse_yaml(of, "s.yaml"), "s.yaml", {});
}

ScenarioResult played(const Scenario& of) {
  ScenarioResult result;
  for (std::size_t i = 0; i < of.points.size(); ++i) {
    PointResult& point = result.points.emplace_back();
    point.settings = of.points.settings(i);
    point.simulated = Seconds(1.5);
    point.run.makespan = Seconds(3.0);
    point.run.phases.resize(1);
    point.predictions = {{.model = "taulop", .mode = "timeline overhead=once", .time = Seconds(3.0), .terms = {}}};
  }
  study::apply_published(result, of);
  result.averages = {{.settings = {{"kernel.message", "64KiB"}},
                      .model = "taulop",
                      .mode = "timeline",
                      .points = 2,
                      .mu = 1.1,
                      .published_mu = 1.2}};
  return result;
}

}  // namespace

TEST_SUITE("app/printed_values") {
  TEST_CASE("Metrics and times and averages stand beside what is published with the narrowest bound") {
    const Scenario of = scenario();
    const auto printed = study::printed_values(played(of), of, {});
    REQUIRE(printed.size() == 4);
    CHECK(printed[0].what == "whole run");
    CHECK(printed[0].ours == 3.0);
    CHECK(printed[0].published == 2.0);
    CHECK(printed[0].unit == "s");
    CHECK(printed[0].bound == "-50 % to 60 %");
    CHECK(printed[0].why == "a cause");
    CHECK(printed[0].error() == 0.5);
    CHECK(printed[1].why == "of another program");
    CHECK(printed[1].bound.empty());
    CHECK(printed[2].what == "compared phase");
    CHECK(printed[2].ours == 1.5);
    CHECK(printed[3].what == "average mu of taulop (timeline)");
    CHECK(printed[3].ours == 1.1);
  }
  TEST_CASE("Averages of choices and the runs that models are fitted to are printed values too") {
    const Scenario of = scenario();
    study::Choices choices;
    choices.averages = {{.by = "np-t (n-t)",
                         .epsilon = 0.03,
                         .published = 0.13,
                         .at_least = 0.02,
                         .at_most = 0.04,
                         .runs_s = 100.0,
                         .published_runs_s = 119.0,
                         .runs_mu = 1.5,
                         .why = "no scatter"}};
    const auto printed = study::printed_values({},
                                               scenario("source: t\nplatform: fermi\nnetwork: infiniband\n"
                                                        "layout: {ranks: 4, per-node: 1}\nkernel: {name: barrier}\n"),
                                               choices);
    REQUIRE(printed.size() == 2);
    CHECK(printed[0].what == "mean epsilon of choices by np-t (n-t)");
    CHECK(printed[0].unit == "%");
    CHECK(printed[0].bound == "2 % to 4 %");
    CHECK(printed[1].what == "all runs that np-t (n-t) is fitted to");
    CHECK(printed[1].ours == 100.0);
    CHECK(printed[1].bound == "mu 1.5");
    CHECK(printed[1].why == "no scatter");
  }
  TEST_CASE("A published value that no tolerance holds and that says no cause is told") {
    const auto unheld = study::unheld_published(scenario());
    REQUIRE(unheld.size() == 1);
    CHECK(unheld[0] == "s.yaml:15:5: no tolerance holds this published value and no 'why' says why");
  }
  TEST_CASE("What is published of choices and held by no bound and no cause is told") {
    const std::string with_choices = std::string(text) + R"(choose:
  best: [{configuration: "1,1"}]
  average: [{model: taulop, published: 3%, at-most: 5%, runs: 9s}, {model: taulop, published: 3%, at-least: 2%, at-most: 5%}]
)";
    const auto unheld = study::unheld_published(scenario(with_choices));
    REQUIRE(unheld.size() == 4);
    CHECK(unheld[1].ends_with("'at-least' and 'at-most' do not hold this epsilon and no 'why' says why"));
    CHECK(unheld[2].ends_with("no 'runs-mu' holds this total and no 'why' says why"));
    CHECK(unheld[3] ==
          "s.yaml: neither 'agree' nor 'agree-within' holds what is published as 'best' and no 'why' says why");
  }
}
