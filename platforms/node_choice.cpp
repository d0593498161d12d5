#include "platforms/node_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <numeric>

#include "platforms/layout_shares.hpp"
#include "sim/core/error.hpp"
#include "sim/core/mixed.hpp"
#include "sim/core/suggest.hpp"

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
  return std::prev(std::ranges::upper_bound(places, entry, {}, &ListedAt::first))->where;
}

void require_joined(const Platform& platform, const Network& network, const Layout& layout, const std::string& where) {
  const auto off = [&](const Placement& place) { return network.adapters.of_type(place.node_type) == 0; };
  const auto found = std::ranges::find_if(layout.placements, off);
  if (found == layout.placements.end()) return;
  const auto elsewhere = [&](const Placement& place) { return place.node != found->node; };
  if (std::ranges::none_of(layout.placements, elsewhere)) return;
  std::vector<std::string> on;
  for (std::uint32_t type = 0; type < platform.node_types.size(); ++type)
    if (network.adapters.of_type(type) > 0) on.push_back(platform.node_types[type].name);
  throw InputError(
      "{}: rank {} is on node {} of type '{}', which has no adapter on network '{}' (those with "
      "one: {}). Place all ranks on these, or choose another network?",
      where, found - layout.placements.begin(), index(found->node), platform.node_types[found->node_type].name,
      network.name, fmt::join(on, ", "));
}

std::uint32_t cell_size(const Platform& platform) {
  for (const Network& network : platform.networks) {
    const std::uint64_t places = cell_places(network.topology);
    if (places == 0) continue;
    std::uint32_t adapters = 1;  // of the first type on the network
    for (auto type = static_cast<std::uint32_t>(platform.node_types.size()); type-- > 0;)
      if (network.adapters.of_type(type) > 0) adapters = network.adapters.of_type(type);
    // A leaf of each rail for as many nodes as it has places; else a node's adapters are on one leaf.
    const bool own_leaves = network.adapters.rail_leaves && std::holds_alternative<FatTreeTopology>(network.topology);
    return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, own_leaves ? places : places / adapters));
  }
  return platform.nodes();
}

namespace {

/// Those of the type that is asked for, as many as are.
std::vector<NodeId> chosen_of(std::vector<NodeId> nodes, const Platform& platform, const NodeChoice& choice,
                              const std::string& where) {
  if (!choice.type.empty()) {
    std::vector<std::string> names;
    for (const NodeType& type : platform.node_types) names.push_back(type.name);
    const auto type = std::ranges::find(names, choice.type);
    if (type == names.end())
      throw InputError("{}: platform '{}' has no node type '{}'{}", option_or(where, "--type"), platform.name,
                       choice.type, known_names(choice.type, names));
    const auto number = static_cast<std::uint32_t>(type - names.begin());
    std::erase_if(nodes, [&](NodeId node) { return platform.type_of(node) != number; });
  }
  if (choice.most == 0) return nodes;
  if (choice.most > nodes.size())
    throw InputError("{}: {} nodes are asked for, but there are {}{}. Take fewer?", option_or(where, "--nodes"),
                     choice.most, nodes.size(), choice.type.empty() ? "" : fmt::format(" of type '{}'", choice.type));
  nodes.resize(choice.most);
  return nodes;
}

}  // namespace

std::vector<NodeId> order_of_nodes(const Platform& platform, const NodeChoice& choice, const std::string& where) {
  if (!choice.listed.empty()) return chosen_of(choice.listed, platform, choice, where);
  std::vector<NodeId> nodes(platform.nodes());
  for (std::uint32_t i = 0; i < nodes.size(); ++i) nodes[i] = NodeId{i};
  if (choice.order == NodeOrder::random)
    for (std::size_t i = nodes.size(); i > 1; --i)  // Fisher and Yates
      std::swap(nodes[i - 1], nodes[mixed(mixed(choice.seed) ^ i) % i]);
  if (choice.order == NodeOrder::by_cell) {
    const std::uint32_t cell = cell_size(platform);
    std::ranges::stable_sort(nodes, {}, [&](NodeId node) { return index(node) % cell; });
  }
  return chosen_of(std::move(nodes), platform, choice, where);
}

}  // namespace orrery
