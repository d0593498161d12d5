// Every collective algorithm of the catalogue is played on both engines: they agree, and no resource carries more than
// it can. What an algorithm does message by message is checked in tests/contract/every_collective_test.cpp.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "kernels/collectives/algorithm.hpp"
#include "kernels/kernel.hpp"
#include "sim/core/version.hpp"
#include "sim/engine/batch.hpp"
#include "tests/support/cluster.hpp"
#include "tests/support/loads.hpp"
#include "tests/support/relative.hpp"

using namespace orrery;
using test::near;

namespace {

/// Two cores of a node copy into one memory, and messages over 8 KiB shake hands.
test::Cluster cluster_of(std::uint32_t ranks) {
  test::Cluster cluster((ranks + 1) / 2, 2);
  for (std::uint32_t rank = 0; rank < ranks; ++rank) cluster.place({rank / 2});
  for (ChannelProperties* channel : {&cluster.wire(), &cluster.shared()}) {
    channel->send_overhead = channel->receive_overhead = PiecewiseLinear(0.3e-6);
    channel->eager = channel->detach = 8_KiB;
    channel->handshake = 1;
  }
  cluster.shared().copies = {1, 1};
  cluster.network().aggregation = Aggregation{5_us};
  cluster.options.load_bins = 20;
  cluster.options.intervals_max = 0;
  return cluster;
}

struct Case {
  std::string name;
  std::unique_ptr<Program> program;
};

/// All algorithms but those that run on GPUs alone.
std::vector<Case> cases_on(const test::Cluster& cluster, const char* message) {
  const KernelEntry& kernel = kernels().at("collective", "test");
  std::vector<Case> cases;
  for (std::size_t o = 0; o < collectives::planned_operations; ++o) {
    const auto operation = static_cast<Operation>(o);
    for (const auto& [name, algorithm] : collectives::algorithms(operation).entries()) {
      if (name.starts_with("nccl")) continue;
      Parameters parameters(kernel.parameters);
      parameters.set("operation", operation_name(operation), "test");
      parameters.set("algorithm", name, "test");
      parameters.set("message", message, "test");
      KernelInput input{parameters, cluster.layout.ranks(), nullptr};
      input.layout = &cluster.layout;
      cases.push_back({fmt::format("{} {}, {}", operation_name(operation), name, message), kernel.make(input)});
    }
  }
  return cases;
}

std::vector<engine::Played> play(const std::vector<Case>& cases, const test::Cluster& cluster, bool flow) {
  static const test::SecondsAsFlops compute;
  std::vector<engine::Simulation> simulations;
  for (const Case& one : cases)
    simulations.push_back({one.name, [&, flow](const ReplayProgress& tell) {
                             ReplayInput input{one.program.get(), &cluster.platform, &cluster.network(),
                                               &cluster.layout,   &compute,          cluster.options};
                             input.options.progress = tell;
                             return (flow ? make_flow_engine() : make_simgrid_engine())->replay(input);
                           }});
  return engine::play_all({.jobs = 2, .threads = flow}, simulations);
}

void play_all_of(std::uint32_t ranks, const char* message) {
  const test::Cluster cluster = cluster_of(ranks);
  const auto cases = cases_on(cluster, message);
  CHECK(cases.size() > 60);
  const auto flow = play(cases, cluster, true);
  const auto simgrid = with_simgrid ? play(cases, cluster, false) : flow;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    INFO(cases[i].name, " on ", ranks, " ranks");
    REQUIRE(flow[i].error.empty());
    REQUIRE(simgrid[i].error.empty());
    const RunResult &a = flow[i].result, &b = simgrid[i].result;
    CHECK(a.makespan > Seconds{});
    CHECK(a.messages == b.messages);
    CHECK(a.makespan.si() == near(b.makespan.si(), 1e-9));
    test::check_loads(a);
    test::check_loads(b);
  }
}

}  // namespace

TEST_SUITE("replay/every_collective") {
  TEST_CASE("No resource carries more than it can in any collective of short messages") { play_all_of(8, "1KiB"); }
  TEST_CASE("No resource carries more than it can in any collective of long messages on an odd number of ranks") {
    play_all_of(7, "96KiB");
  }
}
