#include "models/calibration.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include "models/taulop/calibration.hpp"
#include "platforms/loader.hpp"
#include "sim/core/error.hpp"
#include "sim/study/fit/calibrate.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/calibration_platform.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

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
  return study::calibrate(models().at(model, "test"), platform, platform.networks[0], range, {.jobs = 2});
}

ModelParameters ring(const Platform& platform) {
  const Network& network = platform.networks[0];
  const auto measured = study::measure(taulop_plan(platform, network, range), platform, network, {.jobs = 2});
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
  TEST_CASE("What a model of one's own plans and no calibration can do is refused with the kernel or the core") {
    const Platform platform = machine();
    const std::uint32_t cores = platform.node_types[0].cores();
    CHECK_THROWS_WITH_AS(study::layout_of({{NodeId{0}, cores}}, platform),
                         fmt::format("calibration: core {0} of a node '{1}' is planned (it has {0}). Plan another?",
                                     cores, platform.node_types[0].name)
                             .c_str(),
                         InputError);
    CHECK_THROWS_WITH_AS(study::measure({{"mine", "barrier", {}, {{NodeId{0}, 0}, {NodeId{1}, 0}}}}, platform,
                                        platform.networks[0], {.jobs = 1}),
                         "mine: kernel 'barrier' is no micro-benchmark (one has 'benchmark_points'). Plan another?",
                         InputError);
  }
  TEST_CASE(
      "The stage of a barrier measured on the simulator has the overhead of a send and the latency of a short "
      "message") {
    Platform platform = machine();
    for (auto& type : platform.node_types) type.shared_memory.isend_overhead = PiecewiseLinear(0.3e-6);
    platform.networks[0].protocol.isend_overhead = PiecewiseLinear(0.7e-6);
    const auto parameters = calibrated("barrier-matrix", platform);
    REQUIRE(parameters.tables.size() == 5);
    for (const auto& table : parameters.tables) {
      REQUIRE(table.columns == std::vector<std::string>{"invocation_s", "overhead_s", "latency_s"});
      const bool wire = table.labels.at("channel") == "network";
      CHECK(table.rows[0][0] == 0.0);  // a call without requests takes no time
      CHECK(table.rows[0][1] == near(wire ? 0.7e-6 : 0.3e-6));
      CHECK(table.rows[0][2] == near(wire ? 4e-6 : 1.25e-6, 2e-2));  // latency of 1 us or 0.25 us between two overheads
    }
  }
  TEST_CASE("HLogGP's calibration on the simulator finds the overheads latency and bandwidth of the platform") {
    const Platform platform = machine();
    const auto parameters = calibrated("hloggp", platform);
    CHECK(parameters.origin.find(default_engine) != std::string::npos);
    const auto* process = find_table(parameters, "process", platform, {ChannelKind::network, 0, 0});
    const auto* link = find_table(parameters, "pair", platform, {ChannelKind::network, 0, 1});
    REQUIRE(process != nullptr);
    REQUIRE(link != nullptr);
    CHECK(value_of(parameters, *process, "overhead_send_s") == near(1e-6));
    CHECK(value_of(parameters, *process, "overhead_receive_s") == near(2e-6, 1e-2));  // copy of 1 B
    CHECK(value_of(parameters, *link, "latency_s") == near(1e-6, 1e-2));
    CHECK(value_of(parameters, *link, "gap_per_byte_s_per_B") == near(1e-9, 1e-6));
  }
  TEST_CASE("TauLop's calibration on the simulator doubles a saturated network from one to two transmissions") {
    const Platform platform = machine();
    const auto parameters = ring(platform);
    const auto* wire = find_table(parameters, "channel", platform, {ChannelKind::network, 0, 0});
    REQUIRE(wire != nullptr);
    CHECK(row_value(*wire, 1, "overhead_s") == near(1e-6 + 1e-6 + 2e-6));  // o_s + latency + o_r
    CHECK(row_value(*wire, 100000, "L1_s") == near(1e-4, 1e-6));
    CHECK(row_value(*wire, 100000, "L2_s") == near(2e-4, 1e-6));
    CHECK(row_value(*wire, 100000, "L4_s") == near(4e-4, 1e-6));
  }
  TEST_CASE("TauLop's calibration on the simulator shares a memory only once its bandwidth binds") {
    const Platform platform = machine();  // one core copies at 2 GB/s, a node at 4 GB/s
    const auto parameters = ring(platform);
    const auto* memory = find_table(parameters, "channel", platform, {ChannelKind::shared_memory, 0, 0});
    REQUIRE(memory != nullptr);
    CHECK(row_value(*memory, 100000, "L1_s") == near(5e-5, 1e-6));
    CHECK(row_value(*memory, 100000, "L2_s") == near(5e-5, 1e-6));
    CHECK(row_value(*memory, 100000, "L4_s") == near(1e-4, 1e-6));
  }
  TEST_CASE("Hockney's calibration on the simulator is the same bits with one job and with two") {
    const Platform platform = machine();
    const auto& entry = models().at("hockney", "test");
    const auto plan = entry.plan(platform, platform.networks[0], range);
    std::size_t seen = 0;
    const auto one =
        study::measure(plan, platform, platform.networks[0],
                       {.jobs = 1, .progress = [&](std::size_t done, std::size_t total, const std::string&) {
                          CHECK(total == 5);
                          seen = done;
                        }});
    const auto two = study::measure(plan, platform, platform.networks[0], {.jobs = 2});
    CHECK(seen == 5);
    CHECK(study::measured_csv(one) == study::measured_csv(two));
    CHECK(study::measured_csv(study::parse_measured_csv(study::measured_csv(one), "x.csv")) ==
          study::measured_csv(one));
  }
  TEST_CASE("Experiments that two models plan alike run once") {
    const Platform platform = machine();
    const std::vector<const ModelEntry*> both{&models().at("hockney", "test"), &models().at("hloggp", "test")};
    CHECK(study::plan_of(both, platform, platform.networks[0], range).size() == 9);
  }
}

namespace {

/// Values of one transmission table that leave L(m, 1) <= L(m, tau) <= tau L(m, 1) by more than rounding.
std::size_t bounds_broken(const ParameterTable& table) {
  std::size_t broken = 0;
  for (const auto& row : table.rows)
    for (std::size_t tau = 1; tau + 2 <= row.size(); ++tau) {
      const double alone = row[2], shared = row[tau + 1], rounding = 1e-12;
      if (shared < alone - rounding || shared > static_cast<double>(tau) * (alone + rounding)) ++broken;
    }
  return broken;
}

}  // namespace

TEST_SUITE("replay/calibration of fermi") {
  const auto calibrate_fermi = [](const std::string& network_name, const std::string& model) {
    const Platform fermi = load_platform(ORRERY_SOURCE_DIR "/platforms/fermi.yaml");
    const CalibrationRange grid{.sizes = study::default_sizes(), .concurrency = 47};
    return study::calibrate(models().at(model, "test"), fermi, fermi.network(network_name, "test"), grid, {.jobs = 2});
  };
  TEST_CASE("Fermi's transfer times keep the bounds that tau-Lop's definition of L sets") {
    const auto parameters = calibrate_fermi("infiniband", "taulop");
    CHECK(parameters.tables.size() == 5);
    for (const auto& table : parameters.tables) {
      INFO(table.labels.at("channel"), " ", table.labels.at("types"));
      CHECK(table.columns.size() == 2 + 47);
      CHECK(bounds_broken(table) == 0);
    }
  }
  TEST_CASE("Fermi's transfers over TCP keep the bounds with their copies although the wire's part alone does not") {
    // The copies overlap the wire, so T = o + 2 L0 + L1 leaves L1 = wire - 2 L0; L0 grows slower than tau.
    const auto parameters = calibrate_fermi("ethernet", "taulop");
    const Platform fermi = load_platform(ORRERY_SOURCE_DIR "/platforms/fermi.yaml");
    const auto* memory = find_table(parameters, "channel", fermi, {ChannelKind::shared_memory, 0, 0});
    const auto* wire = find_table(parameters, "channel", fermi, {ChannelKind::network, 0, 0});
    REQUIRE(memory != nullptr);
    REQUIRE(wire != nullptr);
    ParameterTable whole = *wire;
    for (std::size_t i = 0; i < whole.rows.size(); ++i)
      for (std::size_t column = 2; column < 2 + 12; ++column) whole.rows[i][column] += 2 * memory->rows[i][column];
    for (auto& row : whole.rows) row.resize(2 + 12);  // what was measured
    CHECK(bounds_broken(whole) == 0);
    CHECK(bounds_broken(*wire) > 0);
    CHECK(row_value(*wire, 1048576, "L2_s") / row_value(*wire, 1048576, "L1_s") == near(2.0, 0.03));
  }
  TEST_CASE("Fermi's rendezvous over InfiniBand adds two latencies to tau-Lop's overhead") {
    const auto parameters = calibrate_fermi("infiniband", "taulop");
    const Platform fermi = load_platform(ORRERY_SOURCE_DIR "/platforms/fermi.yaml");
    const auto* wire = find_table(parameters, "channel", fermi, {ChannelKind::network, 0, 0});
    REQUIRE(wire != nullptr);
    const Seconds latency = fermi.network("infiniband", "test").latency;
    const double step = row_value(*wire, 16384, "overhead_s") - row_value(*wire, 8192, "overhead_s");
    CHECK(step == near(2.0 * latency.si(), 1e-6));
  }
}
