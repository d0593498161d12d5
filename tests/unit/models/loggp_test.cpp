#include <doctest/doctest.h>

#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

/// o = 1 s, L = 10 s, g = 4 s, G = 2 s/B.
std::unique_ptr<PhaseModel> slow_model(const Platform& platform) {
  ParameterTable cluster{
      .name = "cluster",
      .labels = {},
      .columns = {"overhead_s", "latency_s", "gap_s", "gap_per_byte_s_per_B", "message_min_B", "message_max_B"},
      .rows = {{1, 10, 4, 2, 1, 100}}};
  return test::make_model(
      {.model = "loggp", .platform = "hand", .network = "wire", .origin = "hand", .tables = {cluster}}, platform);
}

double time(const Phase& phase) {
  const Platform platform = test::two_types();
  return slow_model(platform)->communication_time(phase, test::six_ranks()).si();
}

}  // namespace

TEST_SUITE("models/loggp") {
  TEST_CASE("LogGP charges a one-byte message two overheads and one latency") {
    CHECK(time(test::phase_of({{0, 1, 1}})) == 2 * 1 + 10);
    CHECK(time(test::phase_of({{0, 1, 6}})) == 1 + 5 * 2 + 10 + 1);
  }
  TEST_CASE("LogGP says what a message is the sum of where all messages of a run are alike") {
    const Platform platform = test::two_types();
    const auto explained = [&](const Phase& phase) {
      std::vector<Explanation> steps;
      slow_model(platform)->communication_time(phase, test::six_ranks(), &steps);
      return steps.at(0).text;
    };
    CHECK(explained(test::phase_of({{0, 1, 6}})) ==
          "rank 0 sends 6 B to rank 1: o 1 s + (m - 1) G 10 s + L 10 s + o 1 s");
    CHECK(explained(test::phase_of({{0, 1, 1}})) == "rank 0 sends 1 B to rank 1: o 1 s + L 10 s + o 1 s");
    CHECK(explained(test::phase_of({{0, 1, 6}, {0, 2, 6}})) ==
          "rank 0 sends 2 messages, 12 B in all, the last to rank 2: each o 1 s + (m - 1) G 10 s + L 10 s + o 1 s");
    CHECK(explained(test::phase_of({{0, 1, 6}, {0, 2, 11}})) ==
          "rank 0 sends 2 messages, 17 B in all, the last to rank 2");
  }
  TEST_CASE("LogGP puts a gap between the bytes of two messages of one rank") {
    // Alexandrov et al. 1995: o + (m1 - 1) G + g + (m2 - 1) G + L + o
    CHECK(time(test::phase_of({{0, 1, 6}, {0, 2, 11}})) == 1 + 5 * 2 + 4 + 10 * 2 + 10 + 1);
  }
  TEST_CASE("LogGP relays a message along a chain at one full transmission per hop") {
    CHECK(time(test::phase_of({{0, 1, 6}, {1, 2, 6, 1, {0}}})) == 2 * (1 + 5 * 2 + 10 + 1));
  }
  TEST_CASE("LogGP takes each parameter as its mean over two cores drawn at random") {
    const Platform platform = test::two_types(2, 2);  // 2 nodes of 4 cores, 2 of 2: 12 cores, 132 ordered pairs
    const auto& entry = models().at("loggp", "test");
    const CalibrationRange range{.sizes = {1_B, 1001_B}, .concurrency = 2};
    std::vector<Measurement> measured;
    for (const auto& pair : channel_pairs(platform, platform.networks.front())) {
      const bool network = pair.channel == ChannelKind::network;
      // L is 1 us in memory and 12 us through the network, o = 1 us everywhere, g = 3 us, G = 1 ns/B.
      const Seconds first = network ? 14_us : 3_us;
      measured.push_back({series_name("pingpong", platform, pair), {{1_B, first}, {1001_B, first + 1_us}}});
      if (pair.a != pair.b) continue;
      const auto series = series_name("overhead", platform, pair);
      for (const char* variant : {"/send", "/receive", "/burst=1"})
        measured.push_back({series + variant, {{1_B, 1_us}}});
      measured.push_back({series + "/burst=64", {{1_B, 1_us + 63.0 * 3_us}}});
    }
    const auto parameters = entry.fit(platform, platform.networks[0], range, measured);
    const auto& cluster = parameters.tables.front();
    const double within = 2 * 4 * 3 + 2 * 2 * 1;  // ordered pairs of cores that share a node
    CHECK(value_of(parameters, cluster, "latency_s") == near((within * 1e-6 + (132 - within) * 12e-6) / 132));
    CHECK(value_of(parameters, cluster, "overhead_s") == near(1e-6));
    CHECK(value_of(parameters, cluster, "gap_s") == near(3e-6));
    CHECK(value_of(parameters, cluster, "gap_per_byte_s_per_B") == near(1e-9));
  }
  TEST_CASE("LogGP without its table is refused") {
    const Platform platform = test::two_types();
    CHECK_THROWS_WITH(
        test::make_model({.model = "loggp", .platform = {}, .network = {}, .origin = {}, .tables = {}}, platform),
        "loggp: the parameters have no table 'cluster'. Calibrate it on this platform?");
  }
}
