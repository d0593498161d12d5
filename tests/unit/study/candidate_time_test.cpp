#include "sim/study/play/candidate_time.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <set>

#include "sim/core/error.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/scenario.hpp"
#include "sim/study/search/partition_job.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

std::string source(const std::string& file) { return std::string(ORRERY_SOURCE_DIR) + file; }

/// Wave2D on two nodes of Fermi.
Scenario wave2d(const std::string& partition) {
  const std::string text = "source: test\nplatform: " + source("/platforms/fermi.yaml") +
                           "\nnetwork: ethernet\nlayout: {ranks: 4, per-node: 2}\n"
                           "kernel: {name: wave2d, points: 64, iterations: 2}\n"
                           "calibrate: {sizes: [1B, 1KiB, 64KiB]}\nengine: flow\n" +
                           partition;
  return parse_scenario(config::parse_yaml(text, "s.yaml"), "s.yaml", {});
}

}  // namespace

TEST_SUITE("app/candidate time") {
  TEST_CASE("A candidate takes on an engine what the run of its partition takes") {
    const Scenario scenario = wave2d("partition: {algorithm: taulop-columns}\n");
    study::CandidateTime time(scenario, 1);
    std::vector<Seconds> asked;
    std::set<std::string> of_models;
    PointLoader loader(".", "flow", false,
                       [&](const LoadedPoint& candidate, const PointSpec& spec, const std::string& model) {
                         of_models.insert(model);
                         return asked.emplace_back(time(candidate, spec, ""));
                       });
    const LoadedPoint chosen = loader.load(scenario.points.front());
    CHECK(of_models == std::set<std::string>{"", "taulop"});
    const RunResult run = make_flow_engine()->replay(chosen.replay_input({}));
    CHECK(run.makespan.si() == near(std::ranges::min(asked).si(), 1e-12));
  }

  TEST_CASE("A model tells its communication and the slowest rank's computation of a candidate") {
    const Scenario scenario = wave2d("partition: {algorithm: taulop-columns, confirm: false}\n");
    study::CandidateTime time(scenario, 1);
    std::size_t asked = 0;
    PointLoader loader(".", "flow", false,
                       [&](const LoadedPoint& candidate, const PointSpec& spec, const std::string&) {
                         ++asked;
                         const Seconds told = time(candidate, spec, "hockney");
                         const auto phases = build_phases(*candidate.program);
                         const Seconds computation = study::slowest_computation(phases, *candidate.compute);
                         CHECK(computation > Seconds{});
                         CHECK(told > computation);  // messages of this size take milliseconds on Ethernet, not seconds
                         CHECK(told < computation + Seconds(0.1));
                         return told;
                       });
    CHECK(tiling_defect(*loader.load(scenario.points.front()).partition) == "");
    CHECK(asked >= 2);
  }

  TEST_CASE("A scenario is played with the partition whose candidates it timed") {
    const auto scenario = wave2d("partition: {algorithm: taulop-columns}\n");
    const auto played = study::run_scenario(scenario, {.progress = false}).result.points.front();
    CHECK(played.failure.empty());
    study::CandidateTime time(scenario, 1);
    const auto chosen = PointLoader(".", "flow", false, std::ref(time)).load(scenario.points.front());
    REQUIRE(played.partition);
    for (std::uint32_t r = 0; r < 4; ++r)
      CHECK(played.partition->rectangles[r].width == chosen.partition->rectangles[r].width);
  }

  TEST_CASE("The slowest rank's computation adds up over phases and their repetitions") {
    class Second final : public ComputeModel {
      std::string description() const override { return "a second a flop"; }
      Seconds compute_time(const Compute& work, Rank) const override { return Seconds(work.flops.si()); }
    };
    Phase phase;
    phase.ranks = 2;
    phase.repeat = 3;
    phase.computes = {{Rank{0}, {Work::generic, Flops(2.0)}, 2}, {Rank{1}, {Work::generic, Flops(3.0)}, 1}};
    const std::vector<Phase> phases{phase, phase};
    CHECK(study::slowest_computation(phases, Second{}) == Seconds(2 * 3 * 4.0));
  }

  TEST_CASE("Curves of a kernel's speed read back as a compute model of the same speeds") {
    study::PartitionRequest request{.platform = source("/platforms/fermi.yaml"),
                                    .kernel = "summa",
                                    .layout = {source("/scenarios/layouts/rico-gallego16-table1.yaml:M10")},
                                    .parameters = {"blocks=64"}};
    const auto answer = study::make_partition(request);
    CHECK(answer.curves.find("rank,cores,work,size_flop,speed_flop_per_s\n0,") != std::string::npos);
    const std::string file = std::string(std::getenv("TMPDIR") ? std::getenv("TMPDIR") : "/tmp") + "/orrery-curves.csv";
    std::ofstream(file) << answer.curves;
    request.compute = "table";
    request.compute_parameters = {"parameters=" + file};
    const auto again = study::make_partition(request);
    std::remove(file.c_str());
    for (std::size_t r = 0; r < answer.speeds.size(); ++r) CHECK(again.speeds[r] == near(answer.speeds[r], 1e-9));
  }
}
