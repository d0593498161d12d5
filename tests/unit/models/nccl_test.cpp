#include <doctest/doctest.h>

#include "sim/core/nccl_cost.hpp"
#include "tests/support/relative.hpp"
#include "tests/unit/models/phases.hpp"

using namespace orrery;
using namespace orrery::literals;
using test::near;

namespace {

struct Gpus {
  Platform platform = test::two_types();
  Layout layout = test::six_ranks();
  std::unique_ptr<PhaseModel> model;

  Gpus() {
    layout.gpus = std::make_shared<const GpuParameters>(GpuParameters{
        .link = 100_GBps, .adapters = 50_GBps, .hop = {1_us, 2_us, 4_us}, .network_hop = {10_us, 20_us, 30_us}});
    const ModelParameters none;
    model = models().at("nccl", "test").make({platform, platform.networks[0], "", none});
  }
};

PhaseCollective allreduce(Bytes bytes, std::uint32_t first, std::uint32_t count, const char* algorithm) {
  return {{Operation::allreduce, 0, algorithm, bytes, Group::strided(Rank{first}, 1, count)}, {}};
}

}  // namespace

TEST_SUITE("models/nccl") {
  TEST_CASE("The nccl model takes a collective whole by its algorithm and protocol") {
    const Gpus gpus;
    Phase phase = test::phase_of({});
    phase.collectives.push_back(allreduce(Bytes{1e9}, 0, 2, "nccl_ring"));  // both on one node
    std::vector<Explanation> steps;
    // 8.4 + 2 * 4 us and 2 / 2 of 1 GB at 100 GB/s.
    CHECK(gpus.model->communication_time(phase, gpus.layout, &steps).si() == near(16.4e-6 + 1e-2));
    REQUIRE(steps.size() == 1);
    CHECK(steps[0].text == "allreduce of 1 GB by nccl_ring on 2 ranks of 1 node");
  }

  TEST_CASE("The nccl model lets groups that share no rank go on at once and adds what a rank does twice") {
    const Gpus gpus;
    Phase phase = test::phase_of({});
    phase.collectives.push_back(allreduce(Bytes{1e9}, 0, 2, "nccl_ring"));
    const Seconds one = gpus.model->communication_time(phase, gpus.layout);
    phase.collectives.push_back(allreduce(Bytes{1e8}, 3, 2, "nccl_ring"));
    CHECK(gpus.model->communication_time(phase, gpus.layout) == one);
    phase.collectives.push_back(allreduce(Bytes{1e9}, 0, 2, "nccl_ring"));
    CHECK(gpus.model->communication_time(phase, gpus.layout).si() == near(2.0 * one.si()));
  }

  TEST_CASE("The nccl model says which collectives it costs otherwise than they run") {
    test::Run run{{test::phase_of({})}};
    run.phases[0].collectives.push_back(allreduce(1_MiB, 0, 2, "lr"));
    const Gpus gpus;
    CHECK(gpus.model->notes(run.input()) ==
          std::vector<std::string>{"ranks are not on GPUs that are alike: parameters of memory and network",
                                   "costs lr as NCCL would choose"});
  }
}
