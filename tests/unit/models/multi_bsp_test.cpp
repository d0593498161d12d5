#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

ParameterTable level(const char* name, const char* parts, double gap, double latency) {
  return {.name = "level",
          .labels = {{"level", name}, {"parts", parts}},
          .columns = {"gap_s_per_B", "latency_s"},
          .rows = {{gap, latency}}};
}

ModelParameters parameters(std::vector<ParameterTable> tables) {
  return {
      .model = "multi-bsp", .platform = "two-types", .network = "wire", .origin = "hand", .tables = std::move(tables)};
}

/// Six ranks as test::six_ranks has them: two on a node at most, four nodes.
std::unique_ptr<PhaseModel> by_hand() {
  static const Platform platform = test::two_types();
  return test::make_model(parameters({level("node", "2", 1.0, 100.0), level("network", "4", 10.0, 1000.0)}), platform);
}

}  // namespace

TEST_SUITE("models/multi-bsp") {
  TEST_CASE("Multi-BSP charges what a node sends at the gap of the network and what a rank sends at that of the node") {
    const Layout layout = test::six_ranks();
    // Ranks 0 and 1 share a node: 5 and 7 B leave it, 3 B stay. Rank 1 sends most, 3 + 7 B.
    const auto phase = test::phase_of({{0, 2, 5}, {1, 0, 3}, {1, 5, 7}});
    std::vector<Explanation> steps;
    CHECK(by_hand()->communication_time(phase, layout, &steps) == Seconds(10 * 1.0 + 100 + 12 * 10.0 + 1000));
    REQUIRE(steps.size() == 4);
    CHECK(steps[2].text == "h_2 g_2: 12 B of a node");
    CHECK(steps[3].text == "L_2: 4 nodes");
    CHECK(by_hand()->communication_time(test::phase_of({{5, 0, 8}, {2, 0, 8}}), layout) ==
          Seconds(16 + 100 + 160 + 1000));  // what reaches a node counts as what leaves it
  }
  TEST_CASE("Messages inside a node never pay for the network and the messages of a barrier pay nothing") {
    const Layout layout = test::six_ranks();
    CHECK(by_hand()->communication_time(test::phase_of({{0, 1, 8}, {3, 4, 9}}), layout) == 109_s);
    Phase barrier = test::phase_of({{0, 5, 8}});
    barrier.name = "barrier";
    CHECK(by_hand()->communication_time(barrier, layout) == 0_s);
  }
  TEST_CASE("Multi-BSP adds the longest computation of a rank") {
    test::Run run{{test::phase_of({{0, 1, 8}})}};
    for (const double flops : {3.0, 4.0}) run.phases[0].computes.push_back({Rank{1}, {Work::ddot, Flops(flops)}});
    const PhaseTime time = by_hand()->time(run.phases[0], run.input());
    CHECK(time.computation == 7_s);
    CHECK(time.total() == 115_s);
    CHECK(by_hand()->notes(run.input()).empty());
  }
  TEST_CASE("Each level is measured on its own parts and fitted by a line of relative deviations") {
    const Platform platform = test::two_types();
    const auto& entry = models().at("multi-bsp", "test");
    std::vector<CorePlace> job{{NodeId{0}, 0}, {NodeId{0}, 1}, {NodeId{1}, 0}};
    const CalibrationRange range{.sizes = {1_B}, .concurrency = 1, .jobs = {job, job}};
    const auto plan = entry.plan(platform, platform.networks[0], range);
    REQUIRE(plan.size() == 2);
    CHECK(plan[0].id == "h-relation/node/2");
    CHECK(plan[0].placement == std::vector<CorePlace>{{NodeId{0}, 0}, {NodeId{0}, 1}});
    CHECK(plan[1].id == "h-relation/network/2");
    CHECK(plan[1].placement == std::vector<CorePlace>{{NodeId{0}, 0}, {NodeId{1}, 0}});
    CHECK(plan[1].kernel_parameters[0].second.starts_with("16B,64B,"));
    const std::vector<Measurement> measured{{"h-relation/node/2", {{16_B, 32_s}, {64_B, 80_s}}},
                                            {"h-relation/network/2", {{16_B, 132_s}, {64_B, 228_s}}}};
    const auto tables = entry.fit(platform, platform.networks[0], range, measured).tables;
    REQUIRE(tables.size() == 2);
    CHECK(tables[0].rows[0][0] == near(1.0));
    CHECK(tables[0].rows[0][1] == near(16.0));
    CHECK(tables[1].rows[0][0] == near(2.0));
    CHECK(tables[1].rows[0][1] == near(100.0));
    CHECK(tables[1].labels == std::map<std::string, std::string>{{"level", "network"}, {"parts", "2"}});
  }
  TEST_CASE("Where nobody says which runs are asked for each level is measured by halves down to a pair") {
    Platform platform = test::two_types(3, 3);
    platform.node_types[0].cores_per_socket = 6;
    std::vector<std::string> ids;
    for (const Experiment& each : models().at("multi-bsp", "test").plan(platform, platform.networks[0], {}))
      ids.push_back(each.id);
    CHECK(ids == std::vector<std::string>{"h-relation/node/2", "h-relation/node/3", "h-relation/node/6",
                                          "h-relation/node/12", "h-relation/network/2", "h-relation/network/3",
                                          "h-relation/network/6"});
  }
  TEST_CASE("Between measured numbers of parts g and L lie on a line that is noted and beyond them nothing is said") {
    const Platform platform = test::two_types();
    const auto model = test::make_model(
        parameters({level("node", "2", 1, 0), level("network", "2", 2, 20), level("network", "6", 6, 60)}), platform);
    const test::Run run{{test::phase_of({{0, 5, 8}})}};
    CHECK(model->communication_time(run.phases[0], run.layout) == Seconds(8 + 8 * 4 + 40));
    CHECK(model->notes(run.input()) ==
          std::vector<std::string>{"g and L of level 'network' were not measured for 4 parts: between the nearest"});
    const auto few = test::make_model(parameters({level("node", "2", 1, 0), level("network", "2", 2, 20)}), platform);
    CHECK_THROWS_WITH_AS(
        few->communication_time(run.phases[0], run.layout),
        "multi-bsp: 4 parts of level 'network' lie outside the measured 2..2 (no extrapolation). Measure them too?",
        DomainError);
    const auto none = test::make_model(parameters({}), platform);
    CHECK_THROWS_WITH_AS(
        none->communication_time(run.phases[0], run.layout),
        "multi-bsp: 2 parts of level 'node' lie outside the measured none (no extrapolation). Measure them too?",
        DomainError);
  }
  TEST_CASE("Parameters that Multi-BSP cannot read are refused") {
    const Platform platform = test::two_types();
    CHECK_THROWS_WITH_AS(test::make_model(parameters({level("socket", "2", 1, 1)}), platform),
                         "multi-bsp: a table 'level' is of level 'socket' (node, network). Correct it?", InputError);
    CHECK_THROWS_WITH_AS(test::make_model(parameters({level("node", "two", 1, 1)}), platform),
                         "multi-bsp: a table 'level' has 'two' for label 'parts' (a whole number from 2). Correct it?",
                         InputError);
  }
}
