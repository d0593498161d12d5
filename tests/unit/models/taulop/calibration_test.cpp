#include "models/taulop/calibration.hpp"

#include <doctest/doctest.h>

#include "models/calibration.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/calibration_platform.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

/// Times that follow o = 2 us (plus 3 us from 1 KiB on), L0 = tau m 1 ns, L1 = tau m 2 ns and the equations (1)-(3).
std::vector<Measurement> measure(const Platform& platform, const std::vector<Experiment>& plan, bool copies) {
  std::vector<Measurement> result;
  for (const auto& pair : channel_pairs(platform, platform.networks.front()))
    for (std::uint32_t tau = 1; tau <= 4; ++tau) {
      Measurement series{series_name("ring", platform, pair) + "/tau=" + std::to_string(tau), {}};
      for (const double m : {0.0, 64.0, 1023.0, 1024.0, 2048.0}) {
        const double overhead = m < 1024 ? 2e-6 : 5e-6;
        const double memory = 2 * tau * m * 1e-9, wire = tau * m * 2e-9;
        const double time = overhead + (pair.channel == ChannelKind::shared_memory ? memory
                                        : copies                                   ? memory + wire
                                                                                   : wire);
        series.times.emplace_back(Bytes(m), Seconds(time));
      }
      result.push_back(series);
    }
  REQUIRE(plan.size() == channel_pairs(platform, platform.networks.front()).size());
  return result;
}

Platform with_threshold(bool copies) {
  Platform platform = test::two_types();
  for (auto& type : platform.node_types) type.shared_memory.eager = Bytes(1024);
  platform.networks[0].protocol.eager = Bytes(1024);
  if (copies) platform.networks[0].protocol.copies = {1, 1};
  return platform;
}

const CalibrationRange range{.sizes = {64_B, 1024_B, 2048_B}, .concurrency = 6};

}  // namespace

TEST_SUITE("models/taulop/calibration") {
  TEST_CASE("TauLop needs five experiments on two types of node with one network") {
    const Platform platform = test::two_types(9, 7);
    const auto plan = taulop_plan(platform, platform.networks[0], range);
    const std::size_t types = 2, networks = 1;  // M_t and R_t of Rico-Gallego et al. 2016, section 5.2
    CHECK(plan.size() == types + networks * (types * types - types * (types - 1) / 2));
    CHECK(plan.size() == 5);
    CHECK(plan[0].id == "ring/shared-memory/big");
    CHECK(plan[4].id == "ring/network/small");
  }
  TEST_CASE("TauLop plans no network between two nodes of a type that has only one") {
    const Platform platform = test::two_types(1, 2);
    const auto plan = taulop_plan(platform, platform.networks[0], range);
    REQUIRE(plan.size() == 4);
    CHECK(plan[2].id == "ring/network/big+small");
    CHECK(plan[3].id == "ring/network/small");
  }
  TEST_CASE(
      "Ring between two nodes places two ranks per concurrent transmission Round Robin and stays within the cores") {
    const Platform platform = test::two_types();
    const auto plan = taulop_plan(platform, platform.networks[0], range);
    const auto& between = plan[3];  // big to small: 4 and 2 cores
    CHECK(between.id == "ring/network/big+small");
    CHECK(between.placement == std::vector<CorePlace>{{NodeId{0}, 0}, {NodeId{2}, 0}, {NodeId{0}, 1}, {NodeId{2}, 1}});
    CHECK(between.kernel_parameters[1].second == "1,2");
    CHECK(plan[0].placement == std::vector<CorePlace>{{NodeId{0}, 0}, {NodeId{0}, 1}, {NodeId{0}, 2}, {NodeId{0}, 3}});
  }
  TEST_CASE("TauLop overhead and transfer times follow from Ring by equations 1 and 3") {
    const Platform platform = with_threshold(false);
    const auto plan = taulop_plan(platform, platform.networks[0], range);
    const auto parameters = taulop_fit(platform, platform.networks[0], range, measure(platform, plan, false));
    REQUIRE(parameters.tables.size() == 5);
    const auto* memory = find_table(parameters, "channel", platform, {ChannelKind::shared_memory, 0, 0});
    REQUIRE(memory != nullptr);
    CHECK(memory->columns.size() == 2 + 6);
    CHECK(memory->columns[7] == "L6_s");
    CHECK(memory->rows[0][1] == near(2e-6));
    CHECK(memory->rows[1][1] == near(5e-6));
    CHECK(memory->rows[2][2] == near(2048e-9));
    CHECK(memory->rows[2][4] == near(3 * 2048e-9));
    const auto* wire = find_table(parameters, "channel", platform, {ChannelKind::network, 1, 0});
    REQUIRE(wire != nullptr);
    CHECK(wire->labels.at("types") == "big,small");
    CHECK(wire->rows[1][3] == near(2 * 1024 * 2e-9));
  }
  TEST_CASE("TauLop takes the copies at both ends out of a network transfer by equation 2") {
    const Platform platform = with_threshold(true);
    const auto plan = taulop_plan(platform, platform.networks[0], range);
    const auto parameters = taulop_fit(platform, platform.networks[0], range, measure(platform, plan, true));
    const auto* wire = find_table(parameters, "channel", platform, {ChannelKind::network, 0, 0});
    REQUIRE(wire != nullptr);
    CHECK(wire->rows[2][3] == near(2 * 2048 * 2e-9));
  }
  TEST_CASE("Transfers beyond the measured concurrency continue the last rise and the table says so") {
    const Platform platform = with_threshold(false);
    const auto plan = taulop_plan(platform, platform.networks[0], range);
    const auto parameters = taulop_fit(platform, platform.networks[0], range, measure(platform, plan, false));
    const auto* memory = find_table(parameters, "channel", platform, {ChannelKind::shared_memory, 1, 1});
    REQUIRE(memory != nullptr);
    CHECK(memory->labels.at("tau_measured") == "2");
    CHECK(memory->rows[2][7] == near(6 * 2048e-9));
  }
  TEST_CASE("A series that was not measured is named with the nearest one") {
    const Platform platform = test::two_types();
    CHECK_THROWS_WITH(taulop_fit(platform, platform.networks[0], range, {{"ring/shared-memory/bug/tau=1", {}}}),
                      "calibration: series 'ring/shared-memory/big/tau=1' was not measured (1 others were). Is "
                      "'ring/shared-memory/bug/tau=1' the one?");
  }
}
