#include "platforms/node_choice.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>

#include "sim/core/mixed.hpp"

namespace orrery {

namespace {

/// Adapters of a cell; 0 without cells.
std::uint64_t cell_places(const Topology& topology) {
  if (const auto* tree = std::get_if<FatTreeTopology>(&topology)) return tree->down.size() > 1 ? tree->down.front() : 0;
  if (const auto* fly = std::get_if<DragonflyTopology>(&topology)) return std::uint64_t{fly->routers} * fly->nodes;
  if (const auto* fly = std::get_if<DragonflyPlusTopology>(&topology)) return std::uint64_t{fly->leaves} * fly->nodes;
  return 0;
}

}  // namespace

const std::string& NodeChoice::where(std::size_t entry) const {
  return std::prev(std::ranges::upper_bound(places, entry, {}, &Place::first))->where;
}

std::uint32_t cell_size(const Platform& platform) {
  for (const Network& network : platform.networks) {
    const std::uint64_t places = cell_places(network.topology);
    if (places == 0) continue;
    // A leaf of each rail for as many nodes as it has places; else a node's adapters are on one leaf.
    const bool own_leaves = network.adapters.rail_leaves && std::holds_alternative<FatTreeTopology>(network.topology);
    return static_cast<std::uint32_t>(
        std::max<std::uint64_t>(1, own_leaves ? places : places / network.adapters.of_type(0)));
  }
  return platform.nodes();
}

std::vector<NodeId> order_of_nodes(const Platform& platform, const NodeChoice& choice) {
  if (!choice.listed.empty()) return choice.listed;
  std::vector<NodeId> nodes(platform.nodes());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) nodes[i] = NodeId{i};
  if (choice.order == NodeOrder::random)
    for (std::size_t i = nodes.size(); i > 1; --i)  // Fisher and Yates
      std::swap(nodes[i - 1], nodes[mixed(mixed(choice.seed) ^ i) % i]);
  if (choice.order == NodeOrder::by_cell) {
    const std::uint32_t cell = cell_size(platform);
    std::ranges::stable_sort(nodes, {}, [&](NodeId node) { return index(node) % cell; });
  }
  return nodes;
}

}  // namespace orrery
