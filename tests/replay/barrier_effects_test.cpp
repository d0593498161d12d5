// What section 5.6.6 of Meyer's thesis sees in its measured and predicted barriers on 8 nodes of 8 cores with ranks
// dealt out round robin: each effect, played and by equation 5.4.
#include <doctest/doctest.h>

#include "models/barrier/cost_parameters.hpp"
#include "platforms/layouts.hpp"
#include "platforms/loader.hpp"
#include "sim/app/calibrate/calibrate.hpp"
#include "sim/replay/engine.hpp"
#include "tests/support/partitions.hpp"

using namespace orrery;
using namespace orrery::literals;

namespace {

const Platform& platform() {
  static const Platform machine = load_platform(ORRERY_SOURCE_DIR "/platforms/ntnu-8x2x4.yaml");
  return machine;
}

class NoCompute final : public ComputeModel {
  std::string description() const override { return "no compute steps"; }
  Seconds compute_time(const Compute&, Rank) const override { return {}; }
};

struct Times {
  double played, predicted;
};

/// One barrier of so many ranks, in microseconds.
Times time(const char* algorithm, std::uint32_t ranks) {
  static const ModelParameters parameters =
      app::calibrate(models().at("barrier-matrix", "test"), platform(), platform().networks[0],
                     {.sizes = {1_B, 1024_B}}, {.engine = make_flow_engine});
  const Layout layout = spread_layout(platform(), {.ranks = ranks, .per_node = 8, .round_robin = true}, "test");
  const auto program = test::make_kernel("barrier", {{"algorithm", algorithm}}, ranks);
  const NoCompute compute;
  const RunResult run = make_flow_engine()->replay({.program = program.get(),
                                                    .platform = &platform(),
                                                    .network = &platform().networks[0],
                                                    .layout = &layout,
                                                    .compute = &compute});
  const std::string name = algorithm;
  const StagePattern pattern = name == "tree" ? tree_pattern(ranks) : dissemination_pattern(ranks);
  return {1e6 * run.makespan.si(),
          1e6 * pattern_cost(pattern, signal_costs(parameters, platform(), layout)).total.si()};
}

}  // namespace

TEST_SUITE("replay/barriers of Meyer's thesis") {
  TEST_CASE("The dissemination barrier on two nodes oscillates between odd and even numbers of ranks") {
    for (std::uint32_t ranks = 9; ranks < 16; ranks += 2) {
      const Times odd = time("dissemination", ranks), even = time("dissemination", ranks + 1);
      CHECK(odd.played > 1.5 * even.played);
      CHECK(odd.predicted > 1.5 * even.predicted);
    }
  }
  TEST_CASE("The dissemination barrier dips at 28 and at 32 ranks") {
    const Times dip = time("dissemination", 28), other = time("dissemination", 32);
    for (const std::uint32_t ranks : {26u, 27u, 29u, 30u, 31u, 33u}) {
      const Times around = time("dissemination", ranks);
      CHECK(around.played > 1.4 * dip.played);
      CHECK(around.played > 1.4 * other.played);
      CHECK(around.predicted > 1.4 * dip.predicted);
      CHECK(around.predicted > 1.4 * other.predicted);
    }
  }
  TEST_CASE("The tree barrier is cheaper on 4 and on 8 nodes than on the numbers of nodes around them") {
    const Times three = time("tree", 24), five = time("tree", 33), seven = time("tree", 56);
    for (const std::uint32_t ranks : {25u, 28u, 32u}) {
      const Times four = time("tree", ranks);
      CHECK(1.5 * four.played < std::min(three.played, five.played));
      CHECK(1.5 * four.predicted < std::min(three.predicted, five.predicted));
    }
    for (const std::uint32_t ranks : {57u, 60u, 64u}) {
      const Times eight = time("tree", ranks);
      CHECK(1.5 * eight.played < seven.played);
      CHECK(1.5 * eight.predicted < seven.predicted);
    }
  }
}
