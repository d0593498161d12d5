/// Where each rank of a program runs.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sim/core/gpu_parameters.hpp"
#include "sim/core/ids.hpp"
#include "sim/core/units.hpp"

namespace orrery {

/// Local work of a host for a collective that costs time in addition to its messages: the platform gives the costs.
struct LocalWork {
  bool reduction = false, copy = false, fresh_memory = false, datatypes = false;

  bool any() const { return reduction || copy || fresh_memory || datatypes; }
  bool operator==(const LocalWork&) const = default;
};

/// A rank occupies `cores` cores of one host (a CPU socket or a GPU). A GPU rank also holds one core of its node.
struct Placement {
  NodeId node{};
  HostId host{};
  std::uint32_t node_type = 0;  ///< index of the node's type in the platform
  std::uint32_t cores = 1;
  bool gpu = false;
  std::uint32_t socket_of_node = 0;  ///< 0-based socket, or GPU number when `gpu`
  LocalWork local_work = {};
};

struct Layout {
  std::string name;
  std::vector<Placement> placements;  ///< [ranks]
  /// Of the GPUs that all ranks are on and of their network; null if some rank is elsewhere or if the GPUs differ.
  std::shared_ptr<const GpuParameters> gpus = {};
  std::string gpus_missing = {};  ///< why `gpus` is null: "some ranks are on cores"; empty: not known

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(placements.size()); }
  const Placement& of(Rank rank) const { return placements[index(rank)]; }
  /// The unit that collectives between GPUs treat as a node: the nodes that one switch spans.
  std::uint32_t domain(Rank rank) const {
    const auto node = static_cast<std::uint32_t>(of(rank).node);
    return gpus && gpus->span > 1 ? (node - gpus->first_node) / gpus->span : node;
  }
  bool same_node(Rank a, Rank b) const { return of(a).node == of(b).node; }
  /// Each node with a rank, once, by number.
  std::vector<NodeId> nodes() const {
    std::vector<NodeId> all;
    all.reserve(placements.size());
    for (const Placement& place : placements) all.push_back(place.node);
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
  }
};

}  // namespace orrery
