#include "play.hpp"

#include "sim/replay/isolate.hpp"
#include "sim/replay/wire_format.hpp"

namespace orrery::test {

namespace {

class SecondsAsFlops final : public ComputeModel {
 public:
  std::string description() const override { return "flops are seconds"; }
  Seconds compute_time(const Compute& compute, Rank) const override { return Seconds{compute.flops.si()}; }
};

}  // namespace

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

RunResult play(const Cluster& cluster, const Program& program) {
  const SecondsAsFlops compute;
  const std::string bytes = replay::run_isolated("test", [&] {
    ReplayInput input{&program,        &cluster.platform, &cluster.platform.networks.front(),
                      &cluster.layout, &compute,          cluster.options};
    return replay::to_bytes(make_simgrid_engine()->replay(input));
  });
  return replay::from_bytes(bytes);
}

RunResult play(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps) {
  return play(cluster, FunctionProgram("test", cluster.layout.ranks(), std::move(steps)));
}

double makespan(const Cluster& cluster, std::function<Generator<Step>(Rank)> steps) {
  return play(cluster, std::move(steps)).makespan.si();
}

}  // namespace orrery::test
