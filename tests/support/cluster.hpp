/// A cluster with round parameters and a compute model in which flops are seconds, for closed forms.
#pragma once

#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/compute_model.hpp"
#include "sim/core/layout.hpp"
#include "sim/core/step.hpp"
#include "sim/engine/engine.hpp"

namespace orrery::test {

/// What the closed forms are written in. Two node types would only blur them: there is one.
struct Cluster {
  Platform platform;
  Layout layout;
  ReplayOptions options;

  /// `nodes` nodes in a star; NIC 1 GB/s, latency 10 us; memory 4 GB/s, one core copies at 1 GB/s, shared memory 1 us.
  /// No overheads, no copies, everything eager and detached, until a test says otherwise.
  explicit Cluster(std::uint32_t nodes, std::uint32_t cores = 16) {
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
  NodeType& type() { return platform.node_types.front(); }
  Network& network() { return platform.networks.front(); }
  const Network& network() const { return platform.networks.front(); }
  ChannelProperties& wire() { return network().protocol; }
  ChannelProperties& shared() { return type().shared_memory; }
  /// One rank of one core on the node, first free core of its first socket.
  Cluster& place(const std::vector<std::uint32_t>& nodes) {
    for (const std::uint32_t node : nodes) layout.placements.push_back({NodeId{node}, HostId{node}, 0, 1, false, 0});
    return *this;
  }
};

/// One rank on each of `count` nodes.
inline Cluster a_rank_per_node(std::uint32_t count) {
  Cluster cluster(count);
  for (std::uint32_t node = 0; node < count; ++node) cluster.place({node});
  return cluster;
}

class SecondsAsFlops final : public ComputeModel {
 public:
  std::string description() const override { return "flops are seconds"; }
  Seconds compute_time(const Compute& compute, Rank) const override { return Seconds{compute.flops.si()}; }
};

inline Step compute_for(double seconds) { return compute(Work::generic, Flops{seconds}); }

}  // namespace orrery::test
