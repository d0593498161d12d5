/// A platform of two types of node for the tests of models and calibrations: 2 nodes of 4 cores, 2 nodes of 2 cores.
#pragma once

#include "platforms/description.hpp"
#include "sim/core/layout.hpp"

namespace orrery::test {

inline Platform two_types(std::uint32_t big = 2, std::uint32_t small = 2) {
  Platform platform;
  platform.name = "two-types";
  for (const auto& [name, cores] : {std::pair{"big", 2u}, std::pair{"small", 1u}}) {
    NodeType type;
    type.name = name;
    type.sockets = 2;
    type.cores_per_socket = cores;
    type.core_speed = FlopsPerSecond(1e9);
    type.memory_bandwidth = BytesPerSecond(4e9);
    type.copy_bandwidth = BytesPerSecond(2e9);
    platform.node_types.push_back(type);
  }
  platform.node_counts = {big, small};
  Network network;
  network.name = "wire";
  network.bandwidth = BytesPerSecond(1e9);
  network.latency = Seconds(1e-6);
  network.protocol.copies = {0, 0};
  platform.networks.push_back(network);
  return platform;
}

/// Six ranks: 0 and 1 on node 0 (big), 2 on node 1 (big), 3 and 4 on node 2 (small), 5 on node 3 (small).
inline Layout six_ranks() {
  Layout layout;
  for (const auto& [node, type] : {std::pair{0u, 0u}, {0u, 0u}, {1u, 0u}, {2u, 1u}, {2u, 1u}, {3u, 1u}})
    layout.placements.push_back({.node = NodeId{node}, .host = HostId{2 * node}, .node_type = type});
  return layout;
}

}  // namespace orrery::test
