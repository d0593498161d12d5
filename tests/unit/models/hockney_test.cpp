#include <doctest/doctest.h>

#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

/// alpha = 1 s, beta = 0.5 s/B in a node; alpha = 10 s, beta = 2 s/B between nodes.
std::unique_ptr<PhaseModel> slow_model(const Platform& platform) {
  ModelParameters parameters{.model = "hockney", .platform = "hand", .network = "wire", .origin = "hand", .tables = {}};
  for (const auto& pair : channel_pairs(platform, platform.networks.front())) {
    const bool network = pair.channel == ChannelKind::network;
    parameters.tables.push_back(test::table("pair", platform, pair,
                                            {"alpha_s", "beta_s_per_B", "message_min_B", "message_max_B"},
                                            {network ? 10.0 : 1.0, network ? 2.0 : 0.5, 1, 100}));
  }
  return test::make_model(parameters, platform);
}

double time(const Phase& phase, std::vector<Explanation>* steps = nullptr) {
  const Platform platform = test::two_types();
  return slow_model(platform)->communication_time(phase, test::six_ranks(), steps).si();
}

}  // namespace

TEST_SUITE("models/hockney") {
  TEST_CASE("Hockney charges the line of the pair's channel") {
    CHECK(time(test::phase_of({{0, 1, 6}})) == 1 + 6 * 0.5);
    CHECK(time(test::phase_of({{0, 2, 6}})) == 10 + 6 * 2);
    CHECK(time(test::phase_of({{0, 2, 0}})) == 10);
  }
  TEST_CASE("Hockney lets a rank send one message and receive one at a time") {
    CHECK(time(test::phase_of({{0, 2, 5}, {0, 5, 5}})) == 2 * 20);
    CHECK(time(test::phase_of({{0, 5, 5}, {2, 5, 5}})) == 2 * 20);
    CHECK(time(test::phase_of({{0, 5, 5}, {5, 0, 5}})) == 20);
    CHECK(time(test::phase_of({{0, 5, 5}, {2, 5, 5}, {2, 0, 5}})) == 3 * 20);  // 2 waits for 5, and so does its next
  }
  TEST_CASE("Hockney notes a message beyond its calibration and its terms still add up to the time") {
    std::vector<Explanation> steps;
    CHECK(time(test::phase_of({{0, 2, 200}}), &steps) == 10 + 400);
    REQUIRE(steps.size() == 1);
    CHECK(steps[0].cost == 410_s);
    const test::Run run{{test::phase_of({{0, 2, 200}})}};
    CHECK(slow_model(run.platform)->notes(run.input()) ==
          std::vector<std::string>{"1 message of 200 B lies outside the calibrated 1 B..100 B: the line is continued"});
  }
  TEST_CASE("Hockney notes by how much its alpha misses the shortest message where messages are short") {
    const test::Run run{{test::phase_of({{0, 2, 3}})}}, long_ones{{test::phase_of({{0, 2, 50}})}};
    ModelParameters parameters{
        .model = "hockney", .platform = "hand", .network = "wire", .origin = "hand", .tables = {}};
    for (const auto& pair : channel_pairs(run.platform, run.platform.networks.front()))
      parameters.tables.push_back(test::table("pair", run.platform, pair,
                                              {"alpha_s", "beta_s_per_B", "message_min_B", "message_max_B", "shortest_s"},
                                              {10.0, 2.0, 1, 100, 10.0}));
    const auto model = test::make_model(parameters, run.platform);
    CHECK(model->notes(run.input()) ==
          std::vector<std::string>{"alpha of the line through 1 B..100 B is 20 % above what the shortest message took: "
                                   "short messages are predicted too slow, on another bandwidth by another share"});
    CHECK(model->notes(long_ones.input()).empty());
  }
  TEST_CASE("Hockney parameters follow from ping-pong") {
    const Platform platform = test::two_types();
    const auto& entry = models().at("hockney", "test");
    const CalibrationRange range{.sizes = {1_B, 1000_B, 100000_B}, .concurrency = 2};
    CHECK(entry.plan(platform, platform.networks[0], range).size() == 5);
    std::vector<Measurement> measured;
    for (const auto& pair : channel_pairs(platform, platform.networks.front())) {
      Measurement series{series_name("pingpong", platform, pair), {}};
      for (const auto m : range.sizes) series.times.emplace_back(m, 3_us + m * SecondsPerByte(2e-9));
      measured.push_back(series);
    }
    const auto parameters = entry.fit(platform, platform.networks[0], range, measured);
    const auto* table = find_table(parameters, "pair", platform, {ChannelKind::network, 1, 0});
    REQUIRE(table != nullptr);
    CHECK(value_of(parameters, *table, "alpha_s") == near(3e-6));
    CHECK(value_of(parameters, *table, "beta_s_per_B") == near(2e-9));
  }
}
