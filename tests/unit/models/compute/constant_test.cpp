#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>

#include "models/compute/catalogue.hpp"
#include "sim/core/error.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

/// Two kinds of node: cores of 10 and 8 Gflop/s, the first with a GPU of 500 Gflop/s.
Platform two_types() {
  Platform platform;
  platform.node_types.resize(2);
  platform.node_types[0].core_speed = FlopsPerSecond(10e9);
  platform.node_types[0].gpus = {Gpu{.model = "g", .speed = FlopsPerSecond(500e9)}};
  platform.node_types[1].core_speed = FlopsPerSecond(8e9);
  platform.node_counts = {1, 1};
  return platform;
}

/// Rank 0: five cores of type 0; rank 1: its GPU; rank 2: three cores of type 1.
Layout three_ranks() {
  Layout layout{"three", {}};
  layout.placements.push_back({.node_type = 0, .cores = 5});
  layout.placements.push_back({.node_type = 0, .cores = 1, .gpu = true, .socket_of_node = 0});
  layout.placements.push_back({.node_type = 1, .cores = 3});
  return layout;
}

const ComputeModelEntry& constant() { return compute_models().at("constant", "test"); }

}  // namespace

TEST_SUITE("models/compute/constant") {
  TEST_CASE("A rank computes at the speed of its cores together or of its GPU") {
    const auto model = constant().make({two_types(), three_ranks(), Parameters(constant().parameters)});
    const Compute work{Work::dgemm, Flops(1e9), {}};
    CHECK(model->compute_time(work, Rank{0}).si() == near(1.0 / 50));
    CHECK(model->compute_time(work, Rank{1}).si() == near(1.0 / 500));
    CHECK(model->compute_time(work, Rank{2}).si() == near(1.0 / 24));
    CHECK(model->description() == "constant: peak speed of the platform file, all efficiencies 1 (assumed)");
  }

  TEST_CASE("Matrix products on a GPU run at its peak of matrix products and all other work does not") {
    Platform platform = two_types();
    platform.node_types[0].gpus[0].double_matrix_speed = FlopsPerSecond(1000e9);
    for (const char* name : {"constant", "roofline"}) {
      CAPTURE(name);
      const ComputeModelEntry& entry = compute_models().at(name, "test");
      const auto model = entry.make({platform, three_ranks(), Parameters(entry.parameters)});
      CHECK(model->compute_time({Work::dgemm, Flops(1e9), {}}, Rank{1}).si() == near(1.0 / 1000));
      CHECK(model->compute_time({Work::dtrsm, Flops(1e9), {}}, Rank{1}).si() == near(1.0 / 500));
      CHECK(model->compute_time({Work::dgemm, Flops(1e9), {}}, Rank{0}).si() == near(1.0 / 50));
    }
  }

  TEST_CASE("An efficiency lowers the speed of its kind of work on its kind of host only") {
    Parameters parameters(constant().parameters);
    parameters.set("dgemm-efficiency", "0.5", "test");
    parameters.set("stencil-efficiency-gpu", "0.1", "test");
    const auto model = constant().make({two_types(), three_ranks(), parameters});
    const auto gflops = [&](Work work, std::uint32_t rank) {
      return 1.0 / model->compute_time(Compute{work, Flops(1e9), {}}, Rank{rank}).si();
    };
    CHECK(gflops(Work::dgemm, 0) == near(25));
    CHECK(gflops(Work::dgemm, 1) == near(500));
    CHECK(gflops(Work::stencil, 0) == near(50));
    CHECK(gflops(Work::stencil, 1) == near(50));
    CHECK(model->description() ==
          "constant: peak speed of the platform file, times dgemm-efficiency 0.5, stencil-efficiency-gpu 0.1");
  }

  TEST_CASE("Speeds for a partitioner are flops per second of each rank") {
    const auto speeds = process_speeds(two_types(), three_ranks(), Work::dgemm);
    REQUIRE(speeds.size() == 3);
    CHECK(speeds[0] == near(50e9));
    CHECK(speeds[1] == near(500e9));
    CHECK(speeds[2] == near(24e9));
  }

  TEST_CASE("An efficiency above 1 is refused") {
    Parameters parameters(constant().parameters);
    CHECK_THROWS_WITH_AS(parameters.set("dgemm-efficiency", "1.5", "here"),
                         "here: 'dgemm-efficiency' is '1.5', outside 1e-09..1. Choose a value in that range?",
                         InputError);
  }

  TEST_CASE("Every compute model has the name of its file and says what it is and where it comes from") {
    for (const auto& [name, entry] : compute_models().entries()) {
      CHECK(std::filesystem::exists(fmt::format("{}/models/compute/{}.cpp", ORRERY_SOURCE_DIR, name)));
      CHECK_FALSE(entry.summary.empty());
      CHECK_FALSE(entry.source.empty());
    }
  }
}
