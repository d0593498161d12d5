#include "models/matrices.hpp"

#include <doctest/doctest.h>

#include "models/calibration_pairs.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

using Values = std::vector<std::vector<double>>;

Values constant(std::size_t n, double value) { return Values(n, std::vector<double>(n, value)); }

ModelParameters hockney(Values alpha, Values beta, MatrixRows rows = MatrixRows::nodes) {
  return {.model = "hockney",
          .platform = "two-types",
          .network = "wire",
          .origin = "hand",
          .tables = {},
          .matrices = {{"alpha", "s", rows, std::move(alpha), "p.yaml:9:1"},
                       {"beta", "s/B", rows, std::move(beta), "p.yaml:20:1"}}};
}

void refuses(const ModelParameters& parameters, const char* message) {
  const Platform platform = test::two_types();
  const ModelInput input{platform, platform.networks[0], "", parameters};
  CHECK_THROWS_WITH_AS(make_phase_model(models().at(parameters.model, "test"), input), message, InputError);
}

double time_of(const ModelParameters& parameters, const Phase& phase) {
  const Platform platform = test::two_types();
  return make_phase_model(models().at("hockney", "test"), {platform, platform.networks[0], "", parameters})
      ->communication_time(phase, test::six_ranks())
      .si();
}

}  // namespace

TEST_SUITE("models/matrices") {
  TEST_CASE("A matrix has a row for each node or host or core of the platform") {
    const Platform platform = test::two_types();  // 2 nodes of 2 sockets of 2 cores; 2 nodes of 2 sockets of 1
    CHECK(count_of(platform, MatrixRows::nodes) == 4);
    CHECK(count_of(platform, MatrixRows::hosts) == 8);
    CHECK(count_of(platform, MatrixRows::cores) == 12);
  }

  TEST_CASE("Ranks stand on the cores of their sockets one after another") {
    const Platform platform = test::two_types();
    Layout layout;
    for (const auto& [node, socket] : {std::pair{0u, 0u}, {0u, 1u}, {0u, 1u}, {1u, 0u}, {3u, 1u}})
      layout.placements.push_back({.node = NodeId{node},
                                   .host = HostId{2 * node + socket},
                                   .node_type = node < 2 ? 0u : 1u,
                                   .socket_of_node = socket});
    CHECK(matrix_rows_of(platform, layout, MatrixRows::nodes) == std::vector<std::uint32_t>{0, 0, 0, 1, 3});
    CHECK(matrix_rows_of(platform, layout, MatrixRows::hosts) == std::vector<std::uint32_t>{0, 1, 1, 2, 7});
    CHECK(matrix_rows_of(platform, layout, MatrixRows::cores) == std::vector<std::uint32_t>{0, 2, 3, 4, 11});
    layout.placements[1].gpu = true;
    CHECK_THROWS_WITH_AS(matrix_rows_of(platform, layout, MatrixRows::cores),
                         "rank 1 runs on a GPU, and the matrix counts cores (a GPU is a host). Use a matrix by hosts?",
                         DomainError);
  }

  TEST_CASE("Hockney takes the line of two nodes from matrices and from and to may differ") {
    Values alpha = constant(4, 10.0), beta = constant(4, 0.5);
    alpha[0][1] = 3.0;
    alpha[1][0] = 7.0;
    beta[0][0] = 0.25;
    const auto parameters = hockney(alpha, beta);
    CHECK(time_of(parameters, test::phase_of({{0, 2, 6}})) == 3 + 6 * 0.5);  // node 0 to node 1
    CHECK(time_of(parameters, test::phase_of({{2, 0, 6}})) == 7 + 6 * 0.5);
    CHECK(time_of(parameters, test::phase_of({{0, 1, 6}})) == 10 + 6 * 0.25);  // within node 0
    CHECK(time_of(parameters, test::phase_of({{3, 5, 6}})) == 10 + 6 * 0.5);
  }

  TEST_CASE("Matrices that do not fit the model or the platform are refused with place and remedy") {
    auto wrong = hockney(constant(3, 1.0), constant(4, 0.5));
    refuses(
        wrong,
        "p.yaml:9:1: matrix 'alpha' has 3 rows, platform 'two-types' 4 nodes (one row for each). Measure it on this "
        "platform?");
    wrong = hockney(constant(4, 1.0), constant(4, 0.5));
    wrong.matrices[1].values[2].pop_back();
    refuses(wrong, "p.yaml:20:1: matrix 'beta' has 3 numbers in the row of node 2 (square: 4). Complete it?");
    wrong = hockney(constant(4, 1.0), constant(4, 0.5));
    wrong.matrices[0].values[1][3] = -2e-6;
    refuses(wrong, "p.yaml:9:1: matrix 'alpha' from node 1 to node 3 is -2e-06 s (0 or more). Correct it?");
    wrong = hockney(constant(4, 1.0), constant(4, 0.5));
    wrong.matrices[1].unit = "s";
    refuses(wrong,
            "p.yaml:20:1: matrix 'beta' is in 's' by nodes (model 'hockney' reads 'beta' in s/B by nodes or cores). "
            "Convert it?");
    wrong = hockney(constant(8, 1.0), constant(8, 0.5), MatrixRows::hosts);
    refuses(wrong,
            "p.yaml:9:1: matrix 'alpha' is in 's' by hosts (model 'hockney' reads 'alpha' in s by nodes or cores). "
            "Convert it?");
    wrong = hockney(constant(4, 1.0), constant(4, 0.5));
    wrong.matrices[1].name = "betta";
    refuses(wrong, "p.yaml:20:1: model 'hockney' has no matrix 'betta' (known: alpha, beta). Did you mean 'beta'?");
    wrong.matrices.pop_back();
    refuses(wrong,
            "p.yaml:9:1: matrix 'alpha' stands alone (alpha and beta, both by nodes or both by cores). Add matrix "
            "'beta'?");
    wrong.matrices.push_back(wrong.matrices.front());
    refuses(wrong, "p.yaml:9:1: matrix 'alpha' appears twice (each once). Remove one?");
    wrong = hockney(constant(4, 1.0), constant(4, 0.5));
    wrong.model = "loggp";
    refuses(wrong, "p.yaml:9:1: model 'loggp' reads no matrices ('alpha' is one). Remove it?");
  }

  TEST_CASE("A calibration by nodes measures every two nodes and each node with itself") {
    const Platform platform = test::two_types();
    const CalibrationRange range{.sizes = {1_B, 1000_B}, .concurrency = 1, .pairs = CalibrationPairs::nodes};
    const auto plan = pingpong_plan_of_pairs(platform, platform.networks.front(), range);
    REQUIRE(plan.size() == 6 + 4);
    CHECK(plan[0].id == "pingpong/nodes/0-0");
    CHECK(plan[0].placement == std::vector<CorePlace>{{NodeId{0}, 0}, {NodeId{0}, 1}});
    CHECK(plan[3].id == "pingpong/nodes/0-3");
    CHECK(plan[3].placement == std::vector<CorePlace>{{NodeId{0}, 0}, {NodeId{3}, 0}});
  }

  TEST_CASE("A calibration by cores measures every two cores and names them") {
    const Platform platform = test::two_types();
    const CalibrationRange range{.sizes = {1_B, 1000_B}, .concurrency = 1, .pairs = CalibrationPairs::cores};
    const auto plan = pingpong_plan_of_pairs(platform, platform.networks.front(), range);
    REQUIRE(plan.size() == 12 * 11 / 2);
    CHECK(plan[2].id == "pingpong/cores/0-3");
    CHECK(plan[2].placement == std::vector<CorePlace>{{NodeId{0}, 0}, {NodeId{0}, 3}});
    CHECK(plan.back().placement == std::vector<CorePlace>{{NodeId{3}, 0}, {NodeId{3}, 1}});
    const Platform large = test::two_types(100, 2);
    CHECK_THROWS_WITH_AS(pingpong_plan_of_pairs(large, large.networks.front(), range),
                         "calibrate: 404 cores make 81810 pairs to measure (at most 20000). Tell types of node apart "
                         "instead?",
                         DomainError);
  }

  TEST_CASE("Hockney's matrices follow from ping-pong between every two nodes") {
    const Platform platform = test::two_types();
    const auto& entry = models().at("hockney", "test");
    const CalibrationRange range{.sizes = {1_B, 1000_B, 100000_B}, .concurrency = 1, .pairs = CalibrationPairs::nodes};
    std::vector<Measurement> measured;
    for (const auto& experiment : entry.plan(platform, platform.networks[0], range)) {
      Measurement series{experiment.id, {}};
      const double far = static_cast<double>(index(experiment.placement[1].node));
      for (const auto m : range.sizes) series.times.emplace_back(m, (1.0 + far) * 1_us + m * SecondsPerByte(2e-9));
      measured.push_back(series);
    }
    const auto parameters = entry.fit(platform, platform.networks[0], range, measured);
    const auto *alpha = find_matrix(parameters, "alpha"), *beta = find_matrix(parameters, "beta");
    REQUIRE((alpha != nullptr && beta != nullptr));
    CHECK(alpha->rows == MatrixRows::nodes);
    CHECK(alpha->values[1][3] == near(4e-6));
    CHECK(alpha->values[3][1] == near(4e-6));
    CHECK(beta->values[0][2] == near(2e-9));
    CHECK(time_of(parameters, test::phase_of({{0, 5, 1000}})) == near(4e-6 + 2e-6));
  }
}
