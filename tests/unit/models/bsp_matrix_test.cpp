#include <doctest/doctest.h>

#include <cmath>

#include "models/matrices.hpp"
#include "models/pair_costs.hpp"
#include "models/superstep_predictor.hpp"
#include "sim/core/error.hpp"
#include "tests/support/partitions.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

using Values = std::vector<std::vector<double>>;

/// L = 1, O = 0.25, beta = 0.5 in a node; L = 10, O = 2, beta = 3 between nodes.
ModelParameters by_types(const Platform& platform) {
  ModelParameters parameters{.model = "bsp-matrix", .platform = "two-types", .network = "wire", .origin = "hand"};
  for (const auto& pair : channel_pairs(platform, platform.networks.front())) {
    const bool network = pair.channel == ChannelKind::network;
    parameters.tables.push_back(test::table(
        "pair", platform, pair, {"latency_s", "overhead_s", "beta_s_per_B", "message_min_B", "message_max_B"},
        {network ? 10.0 : 1.0, network ? 2.0 : 0.25, network ? 3.0 : 0.5, 1, 100}));
  }
  return parameters;
}

struct Model {
  explicit Model(const std::string& variant = "equations")
      : parameters(by_types(platform)), model(test::make_model(parameters, platform, variant)) {}
  Platform platform = test::two_types();
  ModelParameters parameters;
  std::unique_ptr<PhaseModel> model;
};

/// Rank 0 computes 4 s, then sends 8 B to ranks 1 and 2 and computes 20 s more before it waits.
Phase overlapping() {
  auto phase = test::phase_of({{0, 1, 8}, {0, 2, 8}});
  for (auto& message : phase.messages) message.overlapped = true;
  phase.computes = {{Rank{0}, {Work::stencil, Flops(4)}, 1, false}, {Rank{0}, {Work::stencil, Flops(20)}, 1, true}};
  return phase;
}

}  // namespace

TEST_SUITE("models/bsp-matrix") {
  TEST_CASE("A superstep takes its slowest process with what it masks") {
    const test::Run run{{overlapping()}};
    std::vector<Explanation> steps;
    const PhaseTime time = Model().model->time(run.phases[0], run.input(), &steps);
    CHECK(time.communication == Seconds((1 + 8 * 0.5) + (10 + 8 * 3)));
    CHECK(time.computation == 24_s);
    CHECK(time.overlap == 20_s);
    Seconds sum;
    for (const auto& step : steps) sum += step.cost;
    CHECK(sum == time.total());
    CHECK(steps[1].text == "computation of rank 0, 6.000 of the mean");
  }
  TEST_CASE("A barrier costs its stages one after another") {
    auto phase = test::phase_of({{0, 1, 1}, {1, 0, 1}, {0, 2, 1, 1}, {2, 0, 1, 1}, {0, 5, 1, 1}});
    phase.name = "barrier";
    CHECK(Model().model->communication_time(phase, test::six_ranks()) == Seconds((1 + 0.25) + (20 + 2)));
    CHECK(Model("predictor").model->communication_time(phase, test::six_ranks()) == Seconds((2 + 0.25) + (40 + 2)));
  }
  TEST_CASE("The predictor masks all computation of a superstep whatever the program does") {
    Phase before;
    before.name = "computation";
    before.ranks = 6;
    before.computes = {{Rank{3}, {Work::stencil, Flops(100)}, 1}};
    const test::Run run{{before, overlapping()}};
    const Model predictor("predictor");
    const double comm = 2 * 10 + (16 + 8) * 3 / 2.0 + 2;
    CHECK(predictor.model->time(run.phases[0], run.input()).total() == 0_s);  // counts with the messages
    CHECK(predictor.model->time(run.phases[1], run.input()).total() == Seconds(124.0));
    CHECK(predictor.model->time(run.phases[1], run.input()).overlap == Seconds(comm));
  }
  TEST_CASE("Of a superstep with two exchanges the computation counts once") {
    Phase between;
    between.name = "computation";
    between.ranks = 6;
    between.computes = {{Rank{3}, {Work::stencil, Flops(100)}, 1}};
    const auto exchange = test::phase_of({{0, 1, 8}});
    const test::Run run{{exchange, between, exchange}};
    const Model predictor("predictor");
    const auto time = [&](std::size_t phase) { return predictor.model->time(run.phases[phase], run.input()); };
    CHECK(time(0).computation == 100_s);
    CHECK(time(1).total() == 0_s);
    CHECK(time(2).computation == 0_s);
  }
  TEST_CASE("Uneven work is noted with the exchange of processors that would help") {
    test::Run run{{overlapping()}};
    run.phases[0].computes.push_back({Rank{3}, {Work::stencil, Flops(12)}, 1});
    const auto notes = Model().model->notes(run.input());
    REQUIRE(notes.size() == 1);  // every processor is as fast: no exchange
    CHECK(notes[0] == "load imbalance: the busiest ranks compute 4.00 times the mean");
  }
  TEST_CASE("Mode border updates points at the rate that the compute model gives a whole domain") {
    test::Run run{{overlapping()}};
    run.kernel = "stencil";
    run.parameters = test::kernel_parameters("stencil", {{"points", "12"}, {"border", "3"}, {"iterations", "9"}});
    const double side = 12.0 / std::sqrt(6.0);  // and the compute model takes 5 flops a point, 1 s each
    const PhaseTime expected =
        parameter_8_17_superstep({.width = side, .height = side, .border = 3, .rate = 0.2, .communication = Seconds{}});
    const PhaseTime time = Model("border").model->time(run.phases[0], run.input());
    CHECK(time.computation.si() == near(expected.computation.si(), 1e-12));
  }
  TEST_CASE("Mode border falls back to figure 8.9 for other kernels and says so") {
    const test::Run run{{overlapping()}};
    const Model border("border"), predictor("predictor");
    CHECK(border.model->time(run.phases[0], run.input()).total() ==
          predictor.model->time(run.phases[0], run.input()).total());
    CHECK(border.model->notes(run.input()).front() == "figure 8.17 is of kernel 'stencil': this is figure 8.9");
  }
  TEST_CASE("Latencies and bandwidths may come from matrices that are not symmetric") {
    const Platform platform = test::two_types();
    const Values zero(4, std::vector<double>(4, 0.0));
    Values latency = zero, beta = zero;
    latency[0][1] = 7;
    latency[1][0] = 9;
    beta[0][1] = 0.5;
    ModelParameters parameters{.model = "bsp-matrix", .platform = "two-types", .network = "wire", .origin = "hand"};
    parameters.matrices = {{"L", "s", MatrixRows::nodes, latency, "p.yaml:3:1"},
                           {"beta", "s/B", MatrixRows::nodes, beta, "p.yaml:9:1"}};
    const auto model = test::make_model(parameters, platform);
    CHECK(model->communication_time(test::phase_of({{0, 2, 4}}), test::six_ranks()) == 9_s);
    CHECK(model->communication_time(test::phase_of({{2, 0, 4}}), test::six_ranks()) == 9_s);
    parameters.matrices.pop_back();
    CHECK_THROWS_WITH_AS(
        test::make_model(parameters, platform),
        "p.yaml:3:1: matrix 'L' lacks its others (L and beta, both by nodes or both by cores, O too where "
        "given). Add them?",
        InputError);
  }
  TEST_CASE("Matrices of the wrong shape and negative latencies are refused by model bsp-matrix") {
    const Platform platform = test::two_types();
    const auto refuses = [&](Values latency, const char* message) {
      ModelParameters parameters{.model = "bsp-matrix", .platform = "two-types", .network = "wire", .origin = "hand"};
      parameters.matrices = {{"L", "s", MatrixRows::nodes, std::move(latency), "p.yaml:3:1"}};
      CHECK_THROWS_WITH_AS(
          make_phase_model(models().at("bsp-matrix", "test"), {platform, platform.networks[0], "", parameters}),
          message, InputError);
    };
    refuses(Values(3, std::vector<double>(3, 0.0)),
            "p.yaml:3:1: matrix 'L' has 3 rows, platform 'two-types' 4 nodes (one row for each). Measure it on this "
            "platform?");
    Values negative(4, std::vector<double>(4, 0.0));
    negative[1][2] = -1e-6;
    refuses(negative, "p.yaml:3:1: matrix 'L' from node 1 to node 2 is -1e-06 s (0 or more). Correct it?");
  }
  TEST_CASE("Costs by type follow from ping-pong and bursts and by node they fill matrices") {
    const Platform platform = test::two_types();
    const CalibrationRange types{.sizes = {1_B, 1000_B, 100000_B}, .concurrency = 2};
    CalibrationRange nodes = types;
    nodes.pairs = CalibrationPairs::nodes;
    const auto& entry = models().at("bsp-matrix", "test");
    for (const auto& range : {types, nodes}) {
      std::vector<Measurement> measured;
      for (const auto& experiment : entry.plan(platform, platform.networks[0], range)) {
        if (experiment.kernel == "pingpong") {
          measured.push_back({experiment.id, {}});
          for (const auto m : range.sizes) measured.back().times.emplace_back(m, 3_us + m * SecondsPerByte(2e-9));
        } else {
          for (const auto& [end, time] :
               {std::pair{"send", 1e-6}, {"receive", 1e-6}, {"burst=1", 4e-6}, {"burst=64", 130e-6}})
            measured.push_back({experiment.id + "/" + end, {{1_B, Seconds(time)}}});
        }
      }
      const auto parameters = entry.fit(platform, platform.networks[0], range, measured);
      const auto costs = PairCosts("bsp-matrix", parameters, platform);
      const Layout layout = test::six_ranks();
      const PairCost cost = costs.between(layout)(Rank{0}, Rank{2});
      CHECK(cost.latency == near(3_us));
      CHECK(cost.beta.si() == near(2e-9));
      CHECK(cost.overhead == near(2_us));
      CHECK(costs.range()->greatest == 100000_B);
    }
  }
}
