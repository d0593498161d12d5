#include "sim/study/read/point.hpp"

#include <doctest/doctest.h>

#include "sim/core/error.hpp"
#include "sim/study/read/scenario.hpp"

using namespace orrery;

namespace {

/// What is wrong with the first point of a scenario with this kernel.
std::string refusal(const std::string& kernel, const std::vector<std::string>& overrides = {}) {
  const std::string text = "source: test\nplatform: " ORRERY_SOURCE_DIR
                           "/platforms/fermi.yaml\nnetwork: ethernet\nlayout: {ranks: 4}\nkernel:\n" +
                           kernel;
  try {
    const Scenario scenario = parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", overrides);
    PointLoader(".", "flow").load(scenario.points.front());
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_SUITE("scenario/point") {
  TEST_CASE("What a kernel refuses opens with the place of the parameter that it names") {
    CHECK(refusal("  name: collective\n  operation: bcast\n  root: 9\n") ==
          "s.yaml:8:9: collective: 'root' is 9, of 4 members (0..3). Choose 0?");
    CHECK(refusal("  name: collective\n  operation: alltoallv\n  algorithm: rdb\n") ==
          "s.yaml:8:14: collective: unknown alltoallv algorithm 'rdb' (known: bruck, nccl_pxn, ompi_basic_linear, "
          "pair, ring).");
    CHECK(refusal("  name: training-step\n  pipeline: 3\n") ==
          "s.yaml:7:13: training-step: 'tensor' 1 x 'context' 1 x 'pipeline' 3 x 'data' 1 are 3 GPUs, of 4 (all of "
          "them). Choose factors of 4, or place 3 ranks?");
    CHECK(refusal("  name: collective\n  operation: bcast\n", {"kernel.root=[9]"}) ==
          "--set kernel.root: collective: 'root' is 9, of 4 members (0..3). Choose 0?");
  }

  TEST_CASE("What a kernel refuses without naming a parameter of the file opens with the place of the kernel") {
    CHECK(
        refusal("  collectives: mpich\n  name: trace\n") ==
        "s.yaml:7:9: trace: no file is named (a TI trace, its index, or a GOAL schedule). Write '--param file=FILE'?");
  }
}
