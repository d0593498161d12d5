/// Clusters whose nodes have an inside, for closed forms: parameters as in tests/support/cluster.hpp.
#pragma once

#include <cstdint>
#include <functional>

#include "play.hpp"

namespace orrery::test {

/// Two sockets and `gpus` GPUs to a node; no ranks yet.
inline Cluster two_sockets(std::uint32_t nodes, std::uint32_t gpus = 0) {
  Cluster cluster(nodes);
  cluster.type().sockets = 2;
  Gpu gpu;
  gpu.model = "G";
  gpu.speed = FlopsPerSecond{1.0};
  cluster.type().gpus.assign(gpus, gpu);
  return cluster;
}

/// One rank more: on a socket, or on a GPU by its number behind the sockets.
inline void seat(Cluster& cluster, std::uint32_t node, std::uint32_t element) {
  const auto sockets = cluster.type().sockets;
  const auto hosts = sockets + static_cast<std::uint32_t>(cluster.type().gpus.size());
  const bool gpu = element >= sockets;
  cluster.layout.placements.push_back(
      {NodeId{node}, HostId{node * hosts + element}, 0, 1, gpu, gpu ? element - sockets : element});
}

/// Adapters of every node by the element they are on.
inline void put_adapters(Cluster& cluster, std::vector<std::uint32_t> at) {
  cluster.network().adapters.at = {std::move(at)};
}

/// Ranks 0..n-1 each send m bytes to rank n + i.
inline std::function<Generator<Step>(Rank)> each_to_its_own(std::uint32_t n, double m) {
  return [n, m](Rank me) -> Generator<Step> {
    const auto i = static_cast<std::uint32_t>(me);
    if (i < n)
      co_yield send(Rank{n + i}, Bytes{m}, Tag{0});
    else
      co_yield recv(Rank{i - n}, Bytes{m}, Tag{0});
  };
}

}  // namespace orrery::test
