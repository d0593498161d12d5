#include "sim/study/play/gpu_fallback.hpp"

#include <doctest/doctest.h>

#include "sim/study/read/loaded_points.hpp"
#include "sim/study/read/played_point.hpp"
#include "sim/study/read/scenario.hpp"

using namespace orrery;

namespace {

std::string notice(const std::string& ranks, const std::string& algorithm) {
  const std::string text =
      "source: a test\nplatform: dgx-h100\nnetwork: infiniband\nengine: flow\nlayout: {gpus: 8, ranks: " + ranks +
      "}\nkernel: {name: collective, operation: alltoall, message: 1KiB, algorithm: " + algorithm + "}\n";
  const auto scenario = parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", {});
  PointLoader loader(scenario.folder(), scenario.engine, scenario.ignore_memory);
  return study::fallback_notice(loader.load(scenario.points[0]));
}

}  // namespace

TEST_SUITE("study/gpu fallback") {
  TEST_CASE("An all-to-all of many GPUs on unlike nodes says before it is played that all messages go at once") {
    for (const char* algorithm : {"nccl", "nccl_pxn"})
      CHECK(notice("500", algorithm) ==
            "an alltoall of 500 GPUs cannot go along rails ('nccl_pxn'), as nodes have 4 to 8 of them: all its 249500 "
            "messages go at once ('basic_linear'), which takes minutes to play. Place a multiple of 8 ranks, as 496?");
    CHECK(notice("496", "nccl").empty());
    CHECK(notice("500", "basic_linear").empty());
    CHECK(notice("20", "nccl").empty());
  }
}
