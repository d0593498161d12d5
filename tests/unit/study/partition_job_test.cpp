#include "sim/study/search/partition_job.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "sim/config/dist2.hpp"
#include "sim/core/error.hpp"

using namespace orrery;
using study::make_partition;

namespace {

study::PartitionRequest m10() {
  return {.platform = std::string(ORRERY_SOURCE_DIR) + "/platforms/fermi.yaml",
          .kernel = "summa",
          .layout = {std::string(ORRERY_SOURCE_DIR) + "/scenarios/layouts/rico-gallego16-table1.yaml:M10"},
          .parameters = {"blocks=128"}};
}

void refuses(const study::PartitionRequest& request, const char* message) {
  CHECK_THROWS_WITH_AS(make_partition(request), message, InputError);
}

}  // namespace

TEST_SUITE("app/partition job") {
  TEST_CASE("SUMMA on layout M10 of Fermi is split over 29 ranks of 10 nodes in proportion to their speeds") {
    const auto answer = make_partition(m10());
    CHECK(answer.partition.ranks() == 29);
    CHECK(answer.partition.columns == 128);
    CHECK(tiling_defect(answer.partition) == "");
    CHECK(answer.block == 32);
    CHECK(answer.node_names.size() == 10);  // of 16: those up to the last one used
    const double total = std::accumulate(answer.speeds.begin(), answer.speeds.end(), 0.0);
    for (std::uint32_t r = 0; r < 29; ++r) {
      const auto& mine = answer.partition.rectangles[r];
      const double ideal = 16384.0 * answer.speeds[r] / total;
      CHECK(std::abs(static_cast<double>(mine.area()) - ideal) <= mine.width + mine.height + 1.0);
    }
  }

  TEST_CASE("A partition written as .2dist names nodes and numbers the ranks on each") {
    const auto answer = make_partition(m10());
    const auto read = config::parse_dist2(study::dist2_of(answer), "m10.2dist");
    CHECK(read.block == 32);
    CHECK(read.partition.ranks() == 29);
    CHECK(read.processes[0].host == answer.node_names[0]);
    CHECK(read.processes[0].rank_on_host == 0);
    CHECK(read.processes[1].rank_on_host == 1);
  }

  TEST_CASE("The efficiency of a kind of work moves the partition of the kernels that do it") {
    auto request = m10();
    const auto before = make_partition(request);
    request.compute_parameters = {"stencil-efficiency-gpu=0.1"};
    CHECK(make_partition(request).speeds == before.speeds);
    request.compute_parameters = {"dgemm-efficiency-gpu=0.1"};
    CHECK(make_partition(request).speeds != before.speeds);
  }

  TEST_CASE("A partition of ranks spread over the nodes needs no layout file") {
    auto request = m10();
    request.layout.layout.clear();
    request.layout.ranks = 4;
    request.layout.per_node = 2;
    const auto answer = make_partition(request);
    CHECK(answer.partition.ranks() == 4);
    CHECK(answer.layout.of(Rank{1}).node == NodeId{0});
    CHECK(answer.layout.of(Rank{2}).node == NodeId{1});
  }

  TEST_CASE("A request for a partition with unknown names or missing values is refused and the flag is named") {
    auto request = m10();
    request.kernel = "suma";
    CHECK_THROWS_WITH(make_partition(request), doctest::Contains("--kernel: unknown kernel 'suma' (known: "));
    request = m10();
    request.kernel = "barrier";
    refuses(request,
            "--kernel: 'barrier' has no grid to partition (kernels with a grid: inner-product, matmul-1d, matmul-2d, "
            "nbody-ring, spmm, stencil, summa, wave2d). Use 'inner-product'?");
    request = m10();
    request.parameters = {"blocks"};
    refuses(request, "--param: 'blocks' is not 'name=value'. Write '--param blocks=...'?");
    request = m10();
    request.algorithm = "colums";
    refuses(
        request,
        "--algorithm: unknown partitioner 'colums' (known: beaumont-columns, cm-weighted, cm0, cm1, cm2, cm3a, cm3b, "
        "cpm, cpm-2d, dfpa-1d, dfpa-2d, even, even-grid, exact, ffmpa-1d, ffmpa-2d, geometric, rows, "
        "taulop-columns).");
    request = m10();
    request.layout.layout.resize(request.layout.layout.rfind(':'));
    CHECK_THROWS_WITH(make_partition(request),
                      doctest::Contains("has 16 rows and none is named (TABLE:ROW; known rows: M1, M2, M3"));
  }

  TEST_CASE("Curves to an accuracy have few points where speed is constant and more where it bends") {
    study::PartitionRequest request{.platform = std::string(ORRERY_SOURCE_DIR) + "/platforms/hcl.yaml",
                                    .kernel = "matmul-1d",
                                    .parameters = {"blocks=5120", "block=1"},
                                    .algorithm = "geometric",
                                    .compute_parameters = {"held-mn=2", "held-nn=1"}};
    request.layout.ranks = 16;
    request.layout.per_node = 1;
    const auto lines = [](const std::string& text) { return std::ranges::count(text, '\n'); };
    request.curves_accuracy = 20.0;
    const auto coarse = lines(make_partition(request).curves);
    request.curves_accuracy = 2.0;
    const auto fine = lines(make_partition(request).curves);
    CHECK(coarse > 2 + 16 * 3);
    CHECK(fine > coarse);
    request.compute = "constant";
    request.compute_parameters = {};
    CHECK(lines(make_partition(request).curves) == 2 + 16 * 3);  // both ends and a middle that was foreseen
  }

  TEST_CASE("A negative number of ranks is refused and not taken for all that fit") {
    auto request = m10();
    request.layout.layout.clear();
    request.layout.ranks = -5;
    refuses(request, "--ranks: '-5' is less than 0 (0 or more). Write '--ranks 0'?");
    request.layout.ranks = 0;
    request.layout.cores = 0;
    refuses(request, "--cores: '0' is less than 1 (1 or more). Write '--cores 1'?");
  }
}
