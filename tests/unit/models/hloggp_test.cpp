#include <doctest/doctest.h>

#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

/// Seconds and bytes of a slow cluster, so that sums can be done in the head:
///   shared memory  T(m) = o_s + 2 + (m - 1) / 2 + o_r      network  T(m) = o_s + 10 + (m - 1) + o_r
///   big            o_s = 1, o_r = 2                        small    o_s = 3, o_r = 5
ModelParameters slow_cluster(const Platform& platform, double gap = 0.0) {
  ModelParameters parameters{
      .model = "hloggp", .platform = platform.name, .network = "wire", .origin = "hand", .tables = {}};
  for (const auto& pair : channel_pairs(platform, platform.networks.front())) {
    const bool network = pair.channel == ChannelKind::network;
    parameters.tables.push_back(test::table("pair", platform, pair,
                                            {"latency_s", "gap_per_byte_s_per_B", "message_min_B", "message_max_B"},
                                            {network ? 10.0 : 2.0, network ? 1.0 : 0.5, 1, 1000}));
    if (pair.a == pair.b)
      parameters.tables.push_back(test::table("process", platform, pair,
                                              {"overhead_send_s", "overhead_receive_s", "gap_s"},
                                              {pair.a == 0 ? 1.0 : 3.0, pair.a == 0 ? 2.0 : 5.0, gap}));
  }
  return parameters;
}

/// Ranks 0..2 on one big node, 3..5 on another.
Layout two_big_nodes() {
  Layout layout;
  for (const std::uint32_t node : {0u, 0u, 0u, 1u, 1u, 1u})
    layout.placements.push_back({.node = NodeId{node}, .host = HostId{2 * node}, .node_type = 0});
  return layout;
}

}  // namespace

TEST_SUITE("models/hloggp") {
  TEST_CASE("HLogGP charges each process its own overheads and each pair its own latency and gap per byte") {
    const Platform platform = test::two_types();
    const auto model = test::make_model(slow_cluster(platform), platform);
    const auto time = [&](std::uint32_t from, std::uint32_t to, double m) {
      return model->communication_time(test::phase_of({{from, to, m}}), test::six_ranks()).si();
    };
    CHECK(time(0, 1, 1) == 1 + 2 + 2);           // in a big node
    CHECK(time(3, 4, 101) == 3 + 2 + 50 + 5);    // in a small node
    CHECK(time(0, 2, 101) == 1 + 10 + 100 + 2);  // big to big
    CHECK(time(0, 3, 101) == 1 + 10 + 100 + 5);  // big to small
    CHECK(time(3, 0, 101) == 3 + 10 + 100 + 2);  // small to big
  }
  TEST_CASE("HLogGP composes SUMMA as the dearest pivot column owner plus the dearest column") {
    // Rico-Gallego et al. 2016, section 4.1: pivot column of ranks 1 and 4, then one pivot row transmission per column.
    auto summa = test::phase_of({{1, 0, 134},
                                 {1, 3, 100},
                                 {1, 5, 58},
                                 {4, 5, 116},
                                 {4, 0, 104},  //
                                 {0, 5, 97, 1},
                                 {1, 4, 124, 1},
                                 {3, 2, 35, 1}});
    test::declare(summa, {"pivot column", "pivot row"});
    const Platform platform = test::two_types();
    const auto model = test::make_model(slow_cluster(platform), platform);
    const double row_of_1 = (5 + 133 * 0.5) + (13 + 99) + (13 + 57);
    const double row_of_4 = (5 + 115 * 0.5) + (13 + 103);
    const double column = std::max({13.0 + 96, 13.0 + 123, 13.0 + 34});
    std::vector<Explanation> steps;
    CHECK(model->communication_time(summa, two_big_nodes(), &steps).si() == std::max(row_of_1, row_of_4) + column);
    REQUIRE(steps.size() == 2);
    CHECK(steps[0].text == "pivot column: rank 1 sends 3 messages, 292 B in all, the last to rank 5");
    CHECK(steps[0].cost.si() == row_of_1);
    CHECK(steps[1].text == "pivot row: rank 1 sends 124 B to rank 4: o_s 1 s + (m - 1) G 123 s + L 10 s + o_r 2 s");
    CHECK(steps[1].cost.si() == column);
  }
  TEST_CASE("HLogGP composes Wave2D as the greatest sum over the neighbours of one rank") {
    // Section 4.2: all transmissions are non-blocking, each rank's add up all the same.
    const auto wave = test::phase_of({{0, 1, 64}, {0, 3, 48}, {1, 0, 64}, {3, 0, 48}, {3, 4, 16}, {4, 3, 16}});
    const Platform platform = test::two_types();
    const auto model = test::make_model(slow_cluster(platform), platform);
    const double rank_0 = (5 + 63 * 0.5) + (13 + 47), rank_3 = (13 + 47) + (5 + 15 * 0.5);
    CHECK(model->communication_time(wave, two_big_nodes()).si() == std::max(rank_0, rank_3));
  }
  TEST_CASE("HLogGP keeps two sends of one process a gap apart when they are shorter than that") {
    const Platform platform = test::two_types();
    const auto model = test::make_model(slow_cluster(platform, 20.0), platform);
    CHECK(model->communication_time(test::phase_of({{0, 1, 1}, {0, 1, 1}}), test::six_ranks()).si() == 20 + 5);
  }
  TEST_CASE("HLogGP without parameters for a pair names the channel and the types") {
    const Platform platform = test::two_types();
    auto parameters = slow_cluster(platform);
    std::erase_if(parameters.tables,
                  [](const ParameterTable& table) { return table.labels.at("types") == "big,small"; });
    const auto model = test::make_model(parameters, platform);
    CHECK_THROWS_WITH(
        model->communication_time(test::phase_of({{0, 3, 1}}), test::six_ranks()),
        "hloggp: no parameters for channel 'network' between nodes 'big' and 'small'. Calibrate it on this "
        "platform?");
  }
  TEST_CASE("HLogGP parameters follow from overhead and ping-pong measurements") {
    const Platform platform = test::two_types();
    const auto& entry = models().at("hloggp", "test");
    const CalibrationRange range{.sizes = {1_B, 1001_B, 2001_B}, .concurrency = 2};
    const auto plan = entry.plan(platform, platform.networks[0], range);
    CHECK(plan.size() == 5 + 4);  // pairs of types by channel; types by channel
    std::vector<Measurement> measured;
    for (const auto& pair : channel_pairs(platform, platform.networks.front())) {
      // T = 10 us + 4 us (overheads) + 2 ns (m - 1)
      measured.push_back({series_name("pingpong", platform, pair), {{1_B, 14_us}, {1001_B, 16_us}, {2001_B, 18_us}}});
      if (pair.a != pair.b) continue;
      const auto series = series_name("overhead", platform, pair);
      measured.push_back({series + "/send", {{1_B, 1_us}}});
      measured.push_back({series + "/receive", {{1_B, 3_us}}});
      measured.push_back({series + "/burst=1", {{1_B, 14_us}}});
      measured.push_back({series + "/burst=64", {{1_B, 14_us + 63.0 * 2.5_us}}});
    }
    const auto parameters = entry.fit(platform, platform.networks[0], range, measured);
    const auto* process = find_table(parameters, "process", platform, {ChannelKind::network, 1, 1});
    const auto* link = find_table(parameters, "pair", platform, {ChannelKind::network, 0, 1});
    REQUIRE(process != nullptr);
    REQUIRE(link != nullptr);
    CHECK(value_of(parameters, *process, "overhead_send_s") == near(1e-6));
    CHECK(value_of(parameters, *process, "overhead_receive_s") == near(3e-6));
    CHECK(value_of(parameters, *process, "gap_s") == near(2.5e-6));
    CHECK(value_of(parameters, *link, "latency_s") == near(10e-6));
    CHECK(value_of(parameters, *link, "gap_per_byte_s_per_B") == near(2e-9));
    CHECK(value_of(parameters, *link, "message_max_B") == 2001);
  }
  TEST_CASE("A calibration with a single size is refused because a line needs two points") {
    const Platform platform = test::two_types();
    CHECK_THROWS_WITH(models().at("hloggp", "test").fit(platform, platform.networks[0], {.sizes = {1_B}}, {}),
                      "hloggp: 1 message size cannot fit a line (2 or more sizes). Add one with --sizes?");
  }
}
