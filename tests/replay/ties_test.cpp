// Events that fall on one date: both engines must take them in one order (player.hpp).
#include <doctest/doctest.h>

#include <cmath>
#include <utility>

#include "kernels/kernel.hpp"
#include "platforms/loader.hpp"
#include "play.hpp"
#include "sim/core/version.hpp"
#include "sim/engine/batch.hpp"
#include "tests/support/loads.hpp"

using namespace orrery;

namespace {

class OneSpeed final : public ComputeModel {
 public:
  std::string description() const override { return "5 Gflop/s"; }
  Seconds compute_time(const Compute& compute, Rank) const override { return compute.flops / FlopsPerSecond{5e9}; }
};

RunResult played(const ReplayInput& input, bool flow) {
  const auto all = engine::play_all({.jobs = 1, .threads = flow},
                                    {{"ties", [&](const ReplayProgress&) {
                                        return (flow ? make_flow_engine() : make_simgrid_engine())->replay(input);
                                      }}});
  test::check_loads(all.front().value());
  return all.front().value();
}

}  // namespace

TEST_SUITE("replay/ties") {
  TEST_CASE("Ranks that copies make ready together take their turns on a processor in one order") {
    if (!with_simgrid) return;
    const Platform platform = load_platform(ORRERY_SOURCE_DIR "/platforms/lab-mixed.yaml");
    const KernelEntry& himeno = kernels().at("himeno", "test");
    Parameters parameters(himeno.parameters);
    for (const auto& [name, word] : {std::pair{"points-i", "16"}, {"points-j", "16"}, {"points-k", "16"}})
      parameters.set(name, word, "test");
    parameters.set("iterations", "2", "test");
    const auto program = himeno.make({parameters, 8, nullptr});
    Layout layout{.name = "four to a node", .placements = {}};
    for (std::uint32_t rank = 0; rank < 8; ++rank)
      layout.placements.push_back({NodeId{rank / 4}, HostId{rank / 4}, 0, 1, false, 0});
    const OneSpeed compute;
    const ReplayInput input{program.get(), &platform, &platform.networks.front(), &layout, &compute, {}};
    const RunResult flow = played(input, true), simgrid = played(input, false);
    CHECK(flow.messages == 96);
    CHECK(std::abs(flow.makespan.si() / simgrid.makespan.si() - 1.0) < 1e-9);
    REQUIRE(flow.phases.size() == simgrid.phases.size());
    for (std::size_t i = 0; i < flow.phases.size(); ++i)
      CHECK(std::abs((flow.phases[i].time - simgrid.phases[i].time).si()) <= 1e-9 * simgrid.phases[i].time.si());
  }
}
