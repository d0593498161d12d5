#include "sim/study/judge/compare.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <memory>

#include "models/compute/catalogue.hpp"

using namespace orrery;

namespace {

PointSpec spec(const std::string& network) {
  PointSpec point;
  point.settings = {{"network", network}};
  point.flat = {{"network", network}, {"kernel.blocks", "128"}};
  point.network = network;
  return point;
}

/// Two networks, one prediction each: 1 s simulated, `predicted` seconds predicted.
struct Sample {
  Scenario scenario;
  ScenarioResult result;

  explicit Sample(double predicted) {
    std::vector<PointSpec> specs;
    for (const char* network : {"infiniband", "ethernet"}) {
      specs.push_back(spec(network));
      PointResult point;
      point.settings = {{"network", network}};
      point.simulated = Seconds(1.0);
      point.predictions = {{.model = "taulop", .mode = "timeline", .time = Seconds(predicted), .terms = {}}};
      result.points.push_back(point);
    }
    scenario.points = Points(std::move(specs));
  }
};

Published published(const std::map<std::string, std::string>& conditions, const std::string& model,
                    std::optional<double> mu, std::optional<double> time_s, const std::string& where = "s.yaml:7:3") {
  Published value;
  for (const auto& [path, condition] : conditions) value.where_equal[path] = {condition};
  value.model = model;
  value.mu = mu;
  value.time_s = time_s;
  value.where = where;
  return value;
}

}  // namespace

TEST_SUITE("app/compare") {
  TEST_CASE("A run that a model was fitted to enters no average") {
    Sample sample(1.5);
    sample.scenario.average_over = "network";
    for (auto& point : sample.result.points) point.predictions[0].fitted = true;
    CHECK(study::average_rows(sample.result, sample.scenario).empty());
  }
  TEST_CASE("A prediction of the whole run is averaged against the makespan") {
    Sample sample(3.0);
    sample.scenario.average_over = "network";
    for (auto& point : sample.result.points) {
      point.predictions[0].of_run = true;
      point.run.makespan = Seconds(2.0);
    }
    const auto rows = study::average_rows(sample.result, sample.scenario);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].mu == 1.5);
  }
  TEST_CASE("A published time and its spread stand at the points whose conditions they meet") {
    Sample sample(1.0);
    sample.scenario.published = {published({{"network", "ethernet"}}, "measured", {}, 2.0)};
    sample.scenario.published[0].spread = TimeSpread{1.5, 2.5};
    study::apply_published(sample.result, sample.scenario);
    CHECK_FALSE(sample.result.points[0].published_time_s.has_value());
    CHECK_FALSE(sample.result.points[0].published_spread.has_value());
    CHECK(sample.result.points[1].published_time_s == 2.0);
    REQUIRE(sample.result.points[1].published_spread.has_value());
    CHECK(sample.result.points[1].published_spread->most_s == 2.5);
  }

  TEST_CASE("Speed-ups are against the run with the first value of the axis and the same others") {
    Sample sample(1.0);
    sample.scenario.speed_up_over = {"layout.ranks"};
    const auto point = [&](const char* network, const char* ranks, double makespan) {
      PointResult made;
      made.settings = {{"network", network}, {"layout.ranks", ranks}};
      if (makespan > 0.0) made.simulated = Seconds(makespan);
      made.run.makespan = Seconds(makespan);
      return made;
    };
    sample.result.points = {point("a", "1", 8.0), point("a", "2", 5.0), point("a", "4", 2.0), point("b", "1", 6.0),
                            point("b", "2", 8.0), point("c", "1", 0.0), point("c", "2", 3.0)};
    study::add_speed_ups(sample.result, sample.scenario);
    std::vector<double> found;
    for (const auto& one : sample.result.points) found.push_back(one.metrics.empty() ? 0.0 : one.metrics.front().value);
    CHECK(found == std::vector{1.0, 1.6, 4.0, 1.0, 0.75, 0.0, 0.0});  // of c the first could not run
  }

  TEST_CASE("Speed-ups over two axes are against the run with the first value of both") {
    Sample sample(1.0);
    sample.scenario.speed_up_over = {"kernel", "compute"};
    const auto point = [&](const char* kernel, const char* compute, const char* ranks, double makespan) {
      PointResult made;
      made.settings = {{"kernel", kernel}, {"compute", compute}, {"layout.ranks", ranks}};
      made.simulated = made.run.makespan = Seconds(makespan);
      return made;
    };
    sample.result.points = {point("bsp", "slow", "8", 8.0), point("bsp", "fast", "8", 5.0),
                            point("mpi", "slow", "8", 4.0), point("mpi", "fast", "8", 2.0),
                            point("bsp", "slow", "9", 6.0), point("mpi", "fast", "9", 3.0)};
    study::add_speed_ups(sample.result, sample.scenario);
    std::vector<double> found;
    for (const auto& one : sample.result.points) found.push_back(one.metrics.front().value);
    CHECK(found == std::vector{1.0, 1.6, 2.0, 4.0, 1.0, 2.0});
  }

  TEST_CASE("Published values that stand beside nothing are noted") {
    Sample sample(1.0);
    sample.scenario.published = {published({{"network", "myrinet"}}, "measured", {}, 1.0, "a"),
                                 published({{"network", "ethernet"}}, "taulop", 1.2, {}, "b"),
                                 published({{"network", "ethernet"}}, "measured", {}, 1.0, "c")};
    const auto notes = study::unused_published(sample.scenario);
    REQUIRE(notes.size() == 2);
    CHECK(notes[0] == "a: this published value matches no point");
    CHECK(notes[1] == "b: a published mu is an average, but the scenario has no 'average-over'");
  }
  TEST_CASE("Two equal times agree even when both are zero") {
    CHECK(proportional_error(Seconds(0.0), Seconds(0.0)) == 1.0);
    CHECK(relative_error(Seconds(0.0), Seconds(0.0)) == 0.0);
    CHECK(proportional_error(Seconds(2.0), Seconds(1.0)) == 2.0);
    CHECK(proportional_error(Seconds(1.0), Seconds(2.0)) == 2.0);
    CHECK(relative_error(Seconds(1.0), Seconds(2.0)) == 0.5);
  }
  TEST_CASE("The average of mu over an axis stands beside the published one whose conditions it meets") {
    Sample sample(2.0);
    sample.scenario.average_over = "network";
    sample.result.points[1].predictions[0].time = Seconds(0.25);
    sample.scenario.published = {published({{"kernel.blocks", "128.0"}}, "taulop", 1.5, {})};
    const auto rows = study::average_rows(sample.result, sample.scenario);
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].mu == 3.0);  // (2 + 4) / 2
    CHECK(rows[0].mu_min == 2.0);
    CHECK(rows[0].mu_max == 4.0);
    CHECK(rows[0].published_mu == 1.5);
  }
  TEST_CASE("Points on another platform do not lend their networks to the first one's description") {
    Platform platform;
    platform.name = "here";
    platform.networks.push_back({.name = "wire", .technology = "copper"});
    LoadedPoint point;
    point.platform = std::make_shared<const Platform>(platform);
    point.compute = compute_models()
                        .at("constant", "test")
                        .make({platform, {}, Parameters(compute_models().at("constant", "test").parameters)});
    ScenarioResult result;
    result.points.resize(2);
    result.points[0].platform = "here";
    result.points[0].network = "wire";
    result.points[1].platform = "there";
    result.points[1].network = "fabric";
    study::describe(result, point);
    CHECK(result.communication_description.starts_with("wire (copper"));
    CHECK(result.communication_description.find("fabric") == std::string::npos);
  }
}
