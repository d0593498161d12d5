#include "play.hpp"

#include <doctest/doctest.h>

#include <cmath>

#include "sim/core/error.hpp"
#include "sim/replay/isolate.hpp"
#include "sim/replay/wire_format.hpp"

namespace orrery::test {

Cluster::Cluster(std::uint32_t nodes, std::uint32_t cores) {
  platform.name = "test";
  NodeType node;
  node.name = "node";
  node.cores_per_socket = cores;
  node.core_speed = FlopsPerSecond{1.0};
  node.memory_bandwidth = 4_GBps;
  node.copy_bandwidth = 1_GBps;
  node.shared_memory_latency = 1_us;
  ChannelProperties plain;
  plain.eager = plain.detach = Bytes{1e18};
  plain.copies = {0, 0};
  plain.handshake = 0;
  node.shared_memory = plain;
  platform.node_types = {node};
  platform.node_counts = {nodes};
  Network star;
  star.name = "net";
  star.bandwidth = 1_GBps;
  star.latency = 10_us;
  star.protocol = plain;
  platform.networks = {star};
  layout.name = "test";
  options.tight_precision = true;
}

Cluster& Cluster::place(std::vector<std::uint32_t> nodes) {
  for (const std::uint32_t node : nodes) layout.placements.push_back({NodeId{node}, HostId{node}, 0, 1, false, 0});
  return *this;
}

namespace {

void check_near(double flow, double simgrid) {
  // 1e-14 s is one instant to both engines.
  CHECK(std::abs(flow - simgrid) <= 1e-9 * std::abs(simgrid) + 1e-13);
}

/// What both engines must tell alike. Which rank was slowest, and in which order phases began, hang on ties.
void check_agreement(const RunResult& flow, const RunResult& simgrid) {
  check_near(flow.makespan.si(), simgrid.makespan.si());
  CHECK(flow.messages == simgrid.messages);
  CHECK(flow.unexpected_messages == simgrid.unexpected_messages);
  REQUIRE(flow.phases.size() == simgrid.phases.size());
  for (std::size_t i = 0; i < flow.phases.size(); ++i) {
    CHECK(flow.phases[i].phase == simgrid.phases[i].phase);
    check_near(flow.phases[i].time.si(), simgrid.phases[i].time.si());
    check_near(flow.phases[i].end.si(), simgrid.phases[i].end.si());
  }
  REQUIRE(flow.resources.size() == simgrid.resources.size());
  for (std::size_t i = 0; i < flow.resources.size(); ++i) {
    CHECK(flow.resources[i].name == simgrid.resources[i].name);
    CHECK(flow.resources[i].bytes.si() == doctest::Approx(simgrid.resources[i].bytes.si()).epsilon(1e-12));
    check_near(flow.resources[i].busy.si(), simgrid.resources[i].busy.si());
  }
}

}  // namespace

RunResult play(const Cluster& cluster, const Program& program) {
  const SecondsAsFlops compute;
  const ReplayInput input{&program,        &cluster.platform, &cluster.platform.networks.front(),
                          &cluster.layout, &compute,          cluster.options};
  RunResult flow;
  std::string flow_error;
  try {
    flow = make_flow_engine()->replay(input);
  } catch (const ReplayError& error) {
    flow_error = error.what();
  }
  std::string bytes;
  try {
    bytes = replay::run_isolated("test", [&] { return replay::to_bytes(make_simgrid_engine()->replay(input)); });
  } catch (const ReplayError& error) {
    CHECK(flow_error == error.what());
    throw;
  }
  CHECK(flow_error.empty());
  const RunResult simgrid = replay::from_bytes(bytes);
  check_agreement(flow, simgrid);
  return simgrid;
}

RunResult play(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps) {
  return play(cluster, FunctionProgram("test", cluster.layout.ranks(), std::move(steps)));
}

double makespan(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps) {
  return play(cluster, std::move(steps)).makespan.si();
}

}  // namespace orrery::test
