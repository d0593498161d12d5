#include <doctest/doctest.h>
#include <fmt/format.h>

#include "models/barrier/cost_parameters.hpp"
#include "models/barrier/phase_pattern.hpp"
#include "models/calibration_pairs.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

const ModelEntry& entry() { return models().at("barrier-matrix", "test"); }

/// In a node O_ii = 0.5 s, O_ij = 1 s, L_ij = 3 s; between nodes O_ij = 2 s, L_ij = 10 s.
ModelParameters slow(const Platform& platform) {
  ModelParameters parameters{.model = "barrier-matrix", .platform = "hand", .network = "wire", .origin = "hand"};
  for (const auto& pair : channel_pairs(platform, platform.networks.front())) {
    const bool network = pair.channel == ChannelKind::network;
    parameters.tables.push_back(test::table("pair", platform, pair, {"invocation_s", "overhead_s", "latency_s"},
                                            {0.5, network ? 2.0 : 1.0, network ? 10.0 : 3.0}));
  }
  return parameters;
}

double time(const Phase& phase, const std::string& variant = "") {
  const Platform platform = test::two_types();
  const ModelParameters parameters = slow(platform);
  return test::make_model(parameters, platform, variant)->communication_time(phase, test::six_ranks(), nullptr).si();
}

/// What barrier-stage and ping-pong of such a machine would say.
std::vector<Measurement> measured(const std::vector<Experiment>& plan, const CalibrationRange& range) {
  std::vector<Measurement> series;
  for (const auto& experiment : plan) {
    if (experiment.kernel == "pingpong") {
      series.push_back({experiment.id, {}});
      for (const auto size : range.sizes) series.back().times.emplace_back(size, 3_us + size * SecondsPerByte(2e-9));
      continue;
    }
    for (const int n : {0, 1, 2, 4, 8, 16})
      series.push_back({fmt::format("{}/signals={}", experiment.id, n), {{1_B, 0.1_us + n * 0.4_us}}});
  }
  return series;
}

}  // namespace

TEST_SUITE("models/barrier-matrix") {
  TEST_CASE("Barrier matrices charge a signal by the channel of its ranks") {
    CHECK(time(test::phase_of({{0, 1, 1}})) == 2 * 3 + 1);
    CHECK(time(test::phase_of({{0, 2, 1}})) == 2 * 10 + 2);
    CHECK(time(test::phase_of({{0, 2, 1}}), "acknowledgement=none") == 10 + 2);
    CHECK(time(test::phase_of({{0, 1, 1, 0}, {1, 2, 1, 1}})) == 7 + 22);
    CHECK(time(test::phase_of({{0, 1, 1}, {0, 2, 1}, {0, 1, 1}})) == 6 + 20 + 2);  // one signal however many messages
  }
  TEST_CASE("The phase of a barrier kernel is its pattern") {
    for (const char* algorithm : {"linear", "tree", "dissemination"})
      for (const std::uint32_t ranks : {4u, 8u, 16u}) {
        const auto program = test::make_kernel("barrier", {{"algorithm", algorithm}}, ranks);
        const auto phases = build_phases(*program);
        REQUIRE(phases.size() == 1);
        const std::string name = algorithm;
        CHECK(pattern_of(phases[0]) == (name == "linear" ? linear_pattern(ranks)
                                        : name == "tree" ? tree_pattern(ranks)
                                                         : dissemination_pattern(ranks)));
      }
  }
  TEST_CASE("Overhead is the slope over the number of signals and latency the intercept of ping-pong") {
    const Platform platform = test::two_types();
    const CalibrationRange range{.sizes = {1_B, 1000_B, 100000_B}, .concurrency = 2};
    const auto plan = entry().plan(platform, platform.networks[0], range);
    CHECK(plan.size() == 10);
    const auto parameters = entry().fit(platform, platform.networks[0], range, measured(plan, range));
    REQUIRE(parameters.tables.size() == 5);
    const Layout layout = test::six_ranks();
    const SignalCosts costs = signal_costs(parameters, platform, layout);
    CHECK(costs.invocation(0) == near(0.1_us));
    CHECK(costs.overhead(0, 2) == near(0.4_us));
    CHECK(costs.latency(0, 2) == near(3_us));
  }
  TEST_CASE("Barrier matrices by cores keep the invocation on the diagonal and by nodes in a table") {
    const Platform platform = test::two_types();
    const Layout layout = test::six_ranks();
    for (const auto pairs : {CalibrationPairs::cores, CalibrationPairs::nodes}) {
      const CalibrationRange range{.sizes = {1_B, 1000_B, 100000_B}, .concurrency = 2, .pairs = pairs};
      const auto plan = entry().plan(platform, platform.networks[0], range);
      const auto parameters = entry().fit(platform, platform.networks[0], range, measured(plan, range));
      REQUIRE(parameters.matrices.size() == 2);
      CHECK(parameters.tables.size() == (pairs == CalibrationPairs::cores ? 0 : 1));
      const SignalCosts costs = signal_costs(parameters, platform, layout);
      CHECK(costs.invocation(0) == near(0.1_us));
      CHECK(costs.overhead(0, 2) == near(0.4_us));
      CHECK(costs.latency(2, 0) == near(3_us));
      CHECK(make_phase_model(entry(), {platform, platform.networks[0], "", parameters})
                ->communication_time(test::phase_of({{0, 2, 1}}), layout) == near(6.4_us));
    }
  }
  TEST_CASE("A barrier matrix that stands alone is refused") {
    const Platform platform = test::two_types();
    const Layout layout = test::six_ranks();
    ModelParameters parameters{.model = "barrier-matrix", .platform = "hand", .network = "wire", .origin = "hand"};
    parameters.matrices.push_back({.name = "O", .unit = "s", .rows = MatrixRows::nodes, .where = "m.yaml:3:1"});
    CHECK_THROWS_WITH_AS(signal_costs(parameters, platform, layout),
                         "m.yaml:3:1: matrix 'O' stands alone (O and L, both by nodes or both by cores). Add matrix "
                         "'L'?",
                         InputError);
  }
  TEST_CASE("Barrier matrices say that bytes of long messages do not count") {
    const test::Run run{{test::phase_of({{0, 2, 200}})}};
    const auto parameters = slow(run.platform);
    CHECK(test::make_model(parameters, run.platform)->notes(run.input()) ==
          std::vector<std::string>{"messages of up to 200 B cost what a signal costs: their bytes are not counted"});
  }
}
