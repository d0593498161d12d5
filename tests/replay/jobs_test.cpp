// One process, several simulations: the whole way from a scenario to result.json.
#include <doctest/doctest.h>

#include "sim/config/parameter_file.hpp"
#include "sim/show/result/json.hpp"
#include "sim/study/play/run_scenario.hpp"

using namespace orrery;

namespace {

/// Twelve points, calibration of two models, noise in the compute model: whatever could depend on who runs where.
constexpr const char* text =
    "source: a test\n"
    "platform: fermi\n"
    "network: infiniband\n"
    "layout: {ranks: 24}\n"
    "kernel: {name: wave2d, points: 128, iterations: 12}\n"
    "compute: {model: constant, noise: 0.05, seed: 7}\n"
    "models: [taulop, hockney]\n"
    "calibrate: {sizes: [1B, 4KiB, 64KiB], concurrency: 8}\n"
    "sweep: {network: [infiniband, ethernet], layout.ranks: [4, 12, 24], kernel.points: [64, 128]}\n";

std::string result_of(const std::string& engine, unsigned jobs) {
  const auto scenario = parse_scenario(config::parse_yaml(text, "jobs.yaml"), "jobs.yaml", {"engine=" + engine});
  const auto run = study::run_scenario(scenario, {.jobs = jobs, .progress = false});
  CHECK(run.result.points.size() == 12);
  for (const auto& point : run.result.points) CHECK(point.failure.empty());
  std::string all = show::to_json(run.result, {.timelines = true, .wall_clock = false});
  for (const auto& set : run.parameters) all += config::parameter_file_text({set}, {});  // a file is of one network
  return all;
}

}  // namespace

TEST_SUITE("replay/jobs") {
  TEST_CASE("A sweep on the flow engine gives the same bytes with one job as with two or four") {
    const std::string one = result_of("flow", 1);
    CHECK(one.size() > 10'000);
    CHECK(result_of("flow", 2) == one);
    CHECK(result_of("flow", 4) == one);
  }
}
