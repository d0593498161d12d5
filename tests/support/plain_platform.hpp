/// A platform of one node type and one network of any topology.
#pragma once

#include <utility>

#include "platforms/description.hpp"

namespace orrery::test {

/// `nodes` nodes; NIC 10 GB/s, 2 us end to end, links of the network 5 GB/s and 100 ns.
inline Platform platform_of(std::uint32_t nodes, Topology topology) {
  Platform platform;
  platform.name = "test <platform>";
  platform.node_types.emplace_back().name = "node";
  platform.node_counts = {nodes};
  Network network;
  network.name = "net";
  network.technology = "wire";
  network.bandwidth = 10_GBps;
  network.latency = 2_us;
  network.link_bandwidth = 5_GBps;
  network.link_latency = 0.1_us;
  network.topology = std::move(topology);
  platform.networks.push_back(std::move(network));
  return platform;
}

}  // namespace orrery::test
