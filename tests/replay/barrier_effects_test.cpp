// What section 5.6.6 of Meyer's thesis sees in its measured and predicted barriers on 8 nodes of 8 cores with ranks
// dealt out round robin: each effect, played and by equation 5.4.
#include <doctest/doctest.h>

#include <random>

#include "models/barrier/clusters.hpp"
#include "models/barrier/cost_parameters.hpp"
#include "platforms/layouts.hpp"
#include "platforms/loader.hpp"
#include "sim/engine/engine.hpp"
#include "sim/study/fit/calibrate.hpp"
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
      study::calibrate(models().at("barrier-matrix", "test"), platform(), platform().networks[0],
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

/// Costs between ranks of a platform as its engine measures them, each number off by up to a tenth.
std::vector<std::vector<std::uint32_t>> clusters_of_measured(const char* name, const LayoutRow::Spread& spread,
                                                             unsigned seed) {
  const Platform machine = load_platform(std::string(ORRERY_SOURCE_DIR "/platforms/") + name + ".yaml");
  const ModelParameters parameters =
      study::calibrate(models().at("barrier-matrix", "test"), machine, machine.networks[0], {.sizes = {1_B, 1024_B}},
                       {.engine = make_flow_engine});
  const Layout layout = spread_layout(machine, spread, "test");
  const SignalCosts exact = signal_costs(parameters, machine, layout);
  std::mt19937 random(seed);
  const auto noisy = [&](const auto& of_pair) {
    std::vector<std::vector<Seconds>> values(exact.ranks, std::vector<Seconds>(exact.ranks));
    for (std::uint32_t i = 0; i < exact.ranks; ++i)
      for (std::uint32_t j = 0; j < exact.ranks; ++j)
        if (i != j) values[i][j] = (0.9 + 0.2 * static_cast<double>(random()) / 4294967295.0) * of_pair(i, j);
    return [values](std::uint32_t i, std::uint32_t j) { return values[i][j]; };
  };
  std::vector<std::vector<std::uint32_t>> nodes;
  for (const Cluster& part : clusters_of({.ranks = exact.ranks,
                             .invocation = exact.invocation,
                             .overhead = noisy(exact.overhead),
                             .latency = noisy(exact.latency)})
                                 .parts)
    nodes.push_back(part.members);
  return nodes;
}

}  // namespace

TEST_SUITE("replay/barriers of Meyer's thesis") {
  TEST_CASE(
      "Sparse spatial selection finds the nodes of tables 7.1 and 7.2 in what the engine measures and a tenth of "
      "noise") {
    std::vector<std::vector<std::uint32_t>> round_robin(8), in_turn(10);
    for (std::uint32_t rank = 0; rank < 60; ++rank) round_robin[rank % 8].push_back(rank);
    for (std::uint32_t rank = 0; rank < 115; ++rank) in_turn[rank / 12].push_back(rank);
    for (unsigned seed = 1; seed <= 3; ++seed) {
      CHECK(clusters_of_measured("ntnu-8x2x4", {.ranks = 60, .per_node = 8, .round_robin = true}, seed) == round_robin);
      CHECK(clusters_of_measured("ntnu-12x2x6", {.ranks = 115, .per_node = 12}, seed) == in_turn);
    }
  }
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
