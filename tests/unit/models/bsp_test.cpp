#include <doctest/doctest.h>

#include <cmath>

#include "models/superstep.hpp"
#include "sim/config/parameter_file.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

ModelParameters table_3_1() {
  return config::read_parameter_file(std::string(ORRERY_SOURCE_DIR) + "/scenarios/parameters/meyer12-table3-1.yaml")
      .front();
}

std::unique_ptr<PhaseModel> bsp(const ModelParameters& parameters, const std::string& variant = "") {
  static const Platform platform = test::two_types();
  return test::make_model(parameters, platform, variant);
}

/// One table 'bspbench' with these labels and columns.
ModelParameters parameters(std::map<std::string, std::string> labels, std::vector<std::string> columns,
                           std::vector<double> row) {
  return {.model = "bsp",
          .platform = "two-types",
          .network = "wire",
          .origin = "hand",
          .tables = {{.name = "bspbench", .labels = std::move(labels), .columns = std::move(columns), .rows = {row}}}};
}

Layout on_nodes(std::uint32_t ranks, std::uint32_t per_node) {
  Layout layout;
  for (std::uint32_t r = 0; r < ranks; ++r)
    layout.placements.push_back({.node = NodeId{r / per_node}, .host = HostId{2 * (r / per_node)}});
  return layout;
}

Phase computing(std::uint32_t ranks, double flops) {
  Phase phase;
  phase.name = "computation";
  phase.ranks = ranks;
  for (std::uint32_t r = 0; r < ranks; ++r) phase.computes.push_back({Rank{r}, {Work::ddot, Flops(flops)}});
  return phase;
}

/// The inner product of N elements: products, a word from each to each, the barrier, the sum of the sums.
test::Run inner_product(std::uint32_t p, double elements) {
  Phase exchange;
  exchange.name = "communication";
  exchange.ranks = p;
  exchange.stages = {{"level 0", Composition::set}};
  for (std::uint32_t from = 0; from < p; ++from)
    for (std::uint32_t to = 0; to < p; ++to)
      if (from != to) exchange.messages.push_back({.from = Rank{from}, .to = Rank{to}, .size = 8_B});
  Phase barrier = test::phase_of({{0, 1, 1.0}}, p);
  barrier.name = "barrier";
  return {{computing(p, 2.0 * elements / p), exchange, barrier, computing(p, p)}, on_nodes(p, 8)};
}

double run_time(const PhaseModel& model, const test::Run& run) {
  double sum = 0.0;
  for (const Phase& phase : run.phases) sum += model.time(phase, run.input()).total().si();
  return sum;
}

}  // namespace

TEST_SUITE("models/bsp") {
  TEST_CASE("Equation 3.7 follows from the phases of the inner product and table 3.1") {
    const auto table = table_3_1();
    REQUIRE(table.tables.size() == 8);
    const auto model = bsp(table, "h=pair");
    for (std::uint32_t p = 8; p <= 64; p += 8) {
      const auto& row = table.tables[p / 8 - 1].rows[0];
      const double r = row[0], g = row[1], l = row[2];
      CHECK(run_time(*model, inner_product(p, 1e8)) == near((2e8 / p + l + g + l + p) / r));
    }
    CHECK(run_time(*model, inner_product(8, 1e8)) == near(25.271141631e-3));  // with r in Mflop/s as table 3.1 has it
  }
  TEST_CASE("BSP with table 3.1 finds the inner product fastest on 32 processes") {
    const auto model = bsp(table_3_1());
    for (std::uint32_t p = 8; p <= 64; p += 8)
      CHECK(run_time(*model, inner_product(p, 1e8)) >= run_time(*model, inner_product(32, 1e8)));
  }
  TEST_CASE("A relation counts the words that a rank sends or receives as equation 3.1 says") {
    const auto one = parameters({{"ranks", "6"}, {"nodes", "4"}}, {"gap_s", "latency_s"}, {2.0, 100.0});
    const auto phase = test::phase_of({{0, 5, 16}, {1, 5, 8}, {2, 5, 9}, {0, 1, 8}});
    const Layout layout = test::six_ranks();
    CHECK(bsp(one)->communication_time(phase, layout) == Seconds(2.0 * 5 + 100.0));  // 33 B reach rank 5
    CHECK(bsp(one, "h=pair")->communication_time(phase, layout) == Seconds(2.0 * 2 + 100.0));
  }
  TEST_CASE("The messages of a barrier cost nothing beside l and a program that computes pays l twice") {
    const auto one =
        parameters({{"ranks", "6"}, {"nodes", "4"}}, {"gap_s", "latency_s", "rate_flop_per_s"}, {2, 100, 4});
    test::Run run{{test::phase_of({{0, 1, 8}})}};
    CHECK(bsp(one)->time(run.phases[0], run.input()).total() == 102_s);
    run.phases.push_back(computing(6, 12.0));
    CHECK(bsp(one)->time(run.phases[0], run.input()).total() == 202_s);
    CHECK(bsp(one)->time(run.phases[1], run.input()).total() == 3_s);
    run.phases[0].name = "barrier";
    CHECK(bsp(one)->time(run.phases[0], run.input()).total() == 0_s);
  }
  TEST_CASE("g and l are the plain least squares through the relations of p words and more") {
    const Platform platform = test::two_types();
    const auto& entry = models().at("bsp", "test");
    const std::vector<CorePlace> job{{NodeId{0}, 0}, {NodeId{0}, 1}, {NodeId{1}, 0}, {NodeId{1}, 1}};
    const CalibrationRange range{.sizes = {1_B}, .concurrency = 1, .jobs = {job}};
    const auto plan = entry.plan(platform, platform.networks[0], range);
    REQUIRE(plan.size() == 1);
    CHECK(plan[0].id == "h-relation/4/2");
    CHECK(plan[0].placement == job);
    const std::string& sizes = plan[0].kernel_parameters[0].second;
    CHECK(sizes.starts_with("0B,136B,272B,"));
    CHECK(sizes.ends_with(",2040B"));
    const std::vector<Measurement> measured{
        {"h-relation/4/2", {{0_B, 1_s}, {Bytes(8 * 100.0), 12_s}, {Bytes(8 * 200.0), 14_s}, {Bytes(8 * 201.0), 14_s}}}};
    const auto fitted = entry.fit(platform, platform.networks[0], range, measured).tables.at(0);
    const std::vector<stats::Point> points{{100, 12}, {200, 14}, {201, 14}};
    const stats::Line line = stats::fit_line(points, stats::Deviations::absolute);
    CHECK(fitted.rows[0][0] == near(line.slope));
    CHECK(fitted.rows[0][1] == near(line.intercept));
    CHECK(fitted.rows[0][2] == near(line.intercept - 1.0));
    CHECK(line.slope ==
          near((100 * 12 + 200 * 14 + 201 * 14 - 501.0 * 40 / 3) / (1e4 + 4e4 + 40401 - 501.0 * 501 / 3)));
  }
  TEST_CASE("Without a job bspbench is planned for two ranks and whole nodes") {
    const Platform platform = test::two_types();
    std::vector<std::string> ids;
    for (const auto& one : models().at("bsp", "test").plan(platform, platform.networks[0], {.sizes = {1_B}}))
      ids.push_back(one.id);
    CHECK(ids == std::vector<std::string>{"h-relation/2/1", "h-relation/4/1", "h-relation/8/2", "h-relation/10/3",
                                          "h-relation/12/4"});
  }
  TEST_CASE("Between measured numbers of ranks g and l lie on a line and beyond them nothing is said") {
    auto two = parameters({{"ranks", "2"}, {"nodes", "1"}}, {"gap_s", "latency_s"}, {1.0, 10.0});
    two.tables.push_back(
        parameters({{"ranks", "10"}, {"nodes", "1"}}, {"gap_s", "latency_s"}, {3.0, 30.0}).tables.front());
    const auto model = bsp(two);
    CHECK(model->communication_time(test::phase_of({{0, 1, 8}}), on_nodes(6, 8)) == 22_s);
    CHECK(model->communication_time(test::phase_of({{0, 1, 8}}), on_nodes(10, 2)) == 33_s);
    const test::Run between{{test::phase_of({{0, 1, 8}})}, on_nodes(6, 8)};
    CHECK(model->notes(between.input()) ==
          std::vector<std::string>{"g and l were not measured for 6 ranks on 1 node: taken from the nearest numbers of "
                                   "ranks, then of nodes"});
    // Of two rows of eight ranks the one on as many nodes, or on nearly as many.
    auto by_nodes = parameters({{"ranks", "8"}, {"nodes", "1"}}, {"gap_s", "latency_s"}, {1.0, 10.0});
    by_nodes.tables.push_back(
        parameters({{"ranks", "8"}, {"nodes", "8"}}, {"gap_s", "latency_s"}, {3.0, 30.0}).tables.front());
    CHECK(bsp(by_nodes)->communication_time(test::phase_of({{0, 1, 8}}), on_nodes(8, 1)) == 33_s);
    CHECK(bsp(by_nodes)->communication_time(test::phase_of({{0, 1, 8}}), on_nodes(8, 8)) == 11_s);
    CHECK(bsp(by_nodes)->communication_time(test::phase_of({{0, 1, 8}}), on_nodes(8, 4)) == 11_s);
    CHECK_THROWS_WITH_AS(model->communication_time(test::phase_of({{0, 1, 8}}), on_nodes(12, 8)),
                         "bsp: 12 ranks lie outside the measured 2..10 (no extrapolation). Measure them too?",
                         DomainError);
  }
  TEST_CASE("Parameters that BSP cannot read are refused") {
    CHECK_THROWS_WITH_AS(bsp({.model = "bsp", .platform = "p", .network = "n", .origin = {}, .tables = {}}),
                         "bsp: the parameters have no table 'bspbench'. Calibrate it on this platform?", InputError);
    CHECK_THROWS_WITH_AS(bsp(parameters({{"ranks", "eight"}, {"nodes", "1"}}, {"gap_s", "latency_s"}, {1, 1})),
                         "bsp: table 'bspbench' has 'eight' for label 'ranks' (a whole number from 1). Correct it?",
                         InputError);
    CHECK_THROWS_WITH_AS(bsp(parameters({{"ranks", "8"}}, {"gap_s", "latency_s"}, {1, 1})),
                         "bsp: table 'bspbench' has 'nothing' for label 'nodes' (a whole number from 1). Correct it?",
                         InputError);
    CHECK_THROWS_WITH_AS(bsp(parameters({{"ranks", "8"}, {"nodes", "1"}}, {"gap_flop", "latency_s"}, {1, 1})),
                         "bsp: 'gap_flop' without 'rate_flop_per_s' is no time (flops are divided by it). Add it?",
                         InputError);
    CHECK_THROWS_WITH_AS(
        bsp(parameters({{"ranks", "8"}, {"nodes", "1"}}, {"rate_flop_per_s", "gap_flop", "latency_flop"}, {0, 1, 1})),
        "bsp: 'rate_flop_per_s' is 0 (more than 0). Correct it?", InputError);
  }
}
