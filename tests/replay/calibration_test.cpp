#include "models/calibration.hpp"

#include <doctest/doctest.h>

#include "models/taulop_calibration.hpp"
#include "sim/app/calibrate.hpp"
#include "tests/unit/models/calibration_platform.hpp"

using namespace orrery;
using namespace orrery::literals;

namespace {

/// Overheads of 1 us to send and 2 us to receive on the wire, 0.5 us each in memory; everything is eager.
Platform machine() {
  Platform platform = test::two_types();
  for (auto& type : platform.node_types) {
    type.shared_memory_latency = 0.25_us;
    type.shared_memory.send_overhead = PiecewiseLinear(0.5e-6);
    type.shared_memory.receive_overhead = PiecewiseLinear(0.5e-6);
    type.shared_memory.eager = type.shared_memory.detach = 1_MiB;
  }
  auto& wire = platform.networks[0].protocol;
  wire.send_overhead = PiecewiseLinear(1e-6);
  wire.receive_overhead = PiecewiseLinear(2e-6);
  wire.eager = wire.detach = 1_MiB;
  return platform;
}

const CalibrationRange range{.sizes = {1_B, 1000_B, 100000_B}, .concurrency = 4};

ModelParameters calibrated(const std::string& model, const Platform& platform) {
  return app::calibrate(models().at(model, "test"), platform, platform.networks[0], range, {.jobs = 2});
}

ModelParameters ring(const Platform& platform) {
  const Network& network = platform.networks[0];
  const auto measured = app::measure(taulop_plan(platform, network, range), platform, network, {.jobs = 2});
  return taulop_fit(platform, network, range, measured.series);
}

double row_value(const ParameterTable& table, double message, const std::string& column) {
  for (const auto& row : table.rows)
    if (row.front() == message)
      for (std::size_t i = 0; i < row.size(); ++i)
        if (table.columns[i] == column) return row[i];
  FAIL("no such value");
  return 0.0;
}

}  // namespace

TEST_SUITE("replay/calibration") {
  TEST_CASE("HLogGP's calibration on the simulator finds the overheads latency and bandwidth of the platform") {
    const Platform platform = machine();
    const auto parameters = calibrated("hloggp", platform);
    CHECK(parameters.origin.find("simgrid") != std::string::npos);
    const auto* process = find_table(parameters, "process", platform, {ChannelKind::network, 0, 0});
    const auto* link = find_table(parameters, "pair", platform, {ChannelKind::network, 0, 1});
    REQUIRE(process != nullptr);
    REQUIRE(link != nullptr);
    CHECK(value_of(parameters, *process, "overhead_send_s") == doctest::Approx(1e-6));
    CHECK(value_of(parameters, *process, "overhead_receive_s") == doctest::Approx(2e-6).epsilon(1e-2));  // copy of 1 B
    CHECK(value_of(parameters, *link, "latency_s") == doctest::Approx(1e-6).epsilon(1e-2));
    CHECK(value_of(parameters, *link, "gap_per_byte_s_per_B") == doctest::Approx(1e-9).epsilon(1e-6));
  }
  TEST_CASE("TauLop's calibration on the simulator doubles a saturated network from one to two transmissions") {
    const Platform platform = machine();
    const auto parameters = ring(platform);
    const auto* wire = find_table(parameters, "channel", platform, {ChannelKind::network, 0, 0});
    REQUIRE(wire != nullptr);
    CHECK(row_value(*wire, 1, "overhead_s") == doctest::Approx(1e-6 + 1e-6 + 2e-6));  // o_s + latency + o_r
    CHECK(row_value(*wire, 100000, "L1_s") == doctest::Approx(1e-4).epsilon(1e-6));
    CHECK(row_value(*wire, 100000, "L2_s") == doctest::Approx(2e-4).epsilon(1e-6));
    CHECK(row_value(*wire, 100000, "L4_s") == doctest::Approx(4e-4).epsilon(1e-6));
  }
  TEST_CASE("TauLop's calibration on the simulator shares a memory only once its bandwidth binds") {
    const Platform platform = machine();  // one core copies at 2 GB/s, a node at 4 GB/s
    const auto parameters = ring(platform);
    const auto* memory = find_table(parameters, "channel", platform, {ChannelKind::shared_memory, 0, 0});
    REQUIRE(memory != nullptr);
    CHECK(row_value(*memory, 100000, "L1_s") == doctest::Approx(5e-5).epsilon(1e-6));
    CHECK(row_value(*memory, 100000, "L2_s") == doctest::Approx(5e-5).epsilon(1e-6));
    CHECK(row_value(*memory, 100000, "L4_s") == doctest::Approx(1e-4).epsilon(1e-6));
  }
  TEST_CASE("Hockney's calibration on the simulator is the same bits with one job and with two") {
    const Platform platform = machine();
    const auto& entry = models().at("hockney", "test");
    const auto plan = entry.plan(platform, platform.networks[0], range);
    std::size_t seen = 0;
    const auto one = app::measure(plan, platform, platform.networks[0],
                                  {.jobs = 1, .progress = [&](std::size_t done, std::size_t total, const std::string&) {
                                     CHECK(total == 5);
                                     seen = done;
                                   }});
    const auto two = app::measure(plan, platform, platform.networks[0], {.jobs = 2});
    CHECK(seen == 5);
    CHECK(app::measured_csv(one) == app::measured_csv(two));
    CHECK(app::measured_csv(app::parse_measured_csv(app::measured_csv(one), "x.csv")) == app::measured_csv(one));
  }
  TEST_CASE("Experiments that two models plan alike run once") {
    const Platform platform = machine();
    const std::vector<const ModelEntry*> both{&models().at("hockney", "test"), &models().at("hloggp", "test")};
    CHECK(app::plan_of(both, platform, platform.networks[0], range).size() == 9);
  }
}
