#include "platforms/layout_shares.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.hpp"

namespace orrery {

namespace {

const NodeType& type_at(const Platform& platform, NodeId node) { return platform.node_types[platform.type_of(node)]; }

bool is_listed(const NodeChoice& choice) { return !choice.listed.empty() || !choice.named.empty(); }

std::string place_of_list(const NodeChoice& choice, const std::string& where) {
  return choice.places.empty() ? where : choice.places.front().where;
}

std::uint32_t cores_for_ranks(const NodeType& type, const LayoutRow::Spread& spread) {
  return type.sockets * (type.cores_per_socket / std::max(1u, spread.cores));
}

/// "2 or 5 nodes": the nearest numbers of nodes, of those there are, to which so many ranks come evenly.
std::string even_nodes(std::uint64_t ranks, std::uint64_t nodes, std::uint64_t all) {
  std::uint64_t fewer = std::min(nodes, ranks), more = nodes;
  while (ranks % fewer != 0) --fewer;
  while (more <= all && ranks % more != 0) ++more;
  if (more <= all && more <= ranks) return fmt::format("{} or {} nodes", fewer, more);
  return fmt::format("{} node{}", fewer, fewer == 1 ? "" : "s");
}

[[noreturn]] void refuse_uneven(const Platform& platform, const LayoutRow::Spread& spread, std::uint64_t nodes,
                                const std::string& where) {
  const std::uint64_t ranks = spread.ranks, fewer = ranks / nodes * nodes, more = fewer + nodes;
  const std::string fit = fewer == 0 ? std::to_string(more) : fmt::format("{} or {}", fewer, more);
  if (!is_listed(spread.nodes))
    throw InputError(
        "{}: {} ranks do not come to as many on each of {} nodes ({} ranks do, or {}). Write '--ranks {}'?",
        option_or(where, "--nodes"), ranks, nodes, fit, even_nodes(ranks, nodes, platform.nodes()), more);
  const std::string place = place_of_list(spread.nodes, where);
  const std::uint64_t per_node = (ranks + nodes - 1) / nodes;
  throw InputError(
      "{}: {} ranks do not come to as many on each of the {} nodes of 'node-list' ({} ranks do). State '{}', "
      "to fill one after the other?",
      place, ranks, nodes, fit, fmt::format("{} {}", place.starts_with("--") ? "--per-node" : "per-node:", per_node));
}

}  // namespace

NodeShare share_of(const NodeType& type, const LayoutRow::Spread& spread) {
  const auto gpus = std::min(spread.gpus, static_cast<std::uint32_t>(type.gpus.size()));
  return {spread.per_node > 0 || spread.gpus > 0 ? spread.per_node : cores_for_ranks(type, spread),
          gpus * spread.per_gpu};
}

std::string share_name(const LayoutRow::Spread& spread) {
  if (spread.gpus == 0) return spread.per_node == 0 ? "as many as fit" : std::to_string(spread.per_node);
  const std::string on_gpus = fmt::format("{} on GPUs", spread.gpus * spread.per_gpu);
  return spread.per_node == 0 ? on_gpus : fmt::format("{} on cores and {}", spread.per_node, on_gpus);
}

std::string option_or(const std::string& where, const char* option) { return where.starts_with("--") ? option : where; }

LayoutRow::Spread evenly_spread(const Platform& platform, LayoutRow::Spread spread, const std::vector<NodeId>& nodes,
                                const std::string& where) {
  const bool listed = is_listed(spread.nodes);
  if (!listed && spread.nodes.most == 0) return spread;
  if (nodes.empty() || spread.ranks == 0 || spread.per_node > 0 || spread.gpus > 0) return spread;
  std::uint64_t room = 0;
  for (const NodeId node : nodes) room += cores_for_ranks(type_at(platform, node), spread);
  if (spread.ranks == room || (listed && spread.ranks > room)) return spread;  // all full, or too many: refused later
  if (spread.ranks % nodes.size() != 0) refuse_uneven(platform, spread, nodes.size(), where);
  spread.per_node = static_cast<std::uint32_t>(spread.ranks / nodes.size());
  for (const NodeId node : nodes)
    if (const auto cores = cores_for_ranks(type_at(platform, node), spread); listed && spread.per_node > cores) {
      const std::string place = place_of_list(spread.nodes, where);
      throw InputError(
          "{}: {} ranks are {} on each of the {} nodes of 'node-list', but node {} has cores for {}. State "
          "'{} {}', so that ranks share cores?",
          place, spread.ranks, spread.per_node, nodes.size(), index(node), cores,
          place.starts_with("--") ? "--per-node" : "per-node:", spread.per_node);
    }
  return spread;
}

std::vector<NodeId> nodes_filled(const Platform& platform, const LayoutRow::Spread& spread, std::vector<NodeId> nodes,
                                 const std::string& where) {
  if (spread.ranks == 0) return nodes;
  std::uint64_t room = 0;
  std::size_t needed = 0;
  for (; needed < nodes.size() && room < spread.ranks; ++needed)
    room += share_of(type_at(platform, nodes[needed]), spread).ranks();
  if (spread.nodes.most > 0 && needed < nodes.size()) {
    std::uint64_t most = 0, last = 0;
    for (const NodeId node : nodes) most += last = share_of(type_at(platform, node), spread).ranks();
    const std::uint64_t least = most - last + 1;
    throw InputError("{}: {} ranks, {} to a node, fill {} of {} nodes ({} nodes take {} ranks). Write '--nodes {}'?",
                     option_or(where, "--nodes"), spread.ranks, share_name(spread), needed, nodes.size(), nodes.size(),
                     least < most ? fmt::format("{} to {}", least, most) : std::to_string(most), needed);
  }
  nodes.resize(needed);
  return nodes;
}

std::vector<std::uint32_t> ranks_of_nodes(const Platform& platform, const LayoutRow::Spread& spread,
                                          const std::vector<NodeId>& nodes, std::uint64_t wanted) {
  std::vector<std::uint32_t> room, counts(nodes.size(), 0);
  std::uint64_t left = 0;
  for (const NodeId node : nodes) {
    room.push_back(share_of(type_at(platform, node), spread).on_cores);
    left += room.back();
  }
  left = std::min(left, wanted);
  while (left > 0)
    for (std::size_t node = 0; node < counts.size() && left > 0; ++node)
      if (counts[node] < room[node]) ++counts[node], --left;
  return counts;
}

void require_placed(const Platform& platform, const LayoutRow::Spread& spread, const std::vector<NodeId>& nodes,
                    std::uint64_t placed, const std::string& where) {
  if (placed >= spread.ranks) return;
  const bool listed = !spread.nodes.places.empty();
  std::uint64_t cores = 0;
  for (const NodeId node : nodes) cores += cores_for_ranks(type_at(platform, node), spread);
  const bool more_fit = (spread.per_node > 0 || spread.gpus > 0) && cores >= spread.ranks;
  throw InputError("{}: {} ranks, {} to a node, are more than the {} nodes of '{}' hold ({} rank{}). {}?",
                   place_of_list(spread.nodes, where), spread.ranks, share_name(spread), nodes.size(),
                   listed ? "node-list" : platform.name, placed, placed == 1 ? "" : "s",
                   listed     ? "List more"
                   : more_fit ? "Put more on a node with 'per-node'"
                              : fmt::format("Take at most {}", placed));
}

}  // namespace orrery
