#include "sim/engine/message_routes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "sim/core/error.hpp"

namespace orrery::engine {

MessageRoutes::MessageRoutes(const ReplayInput& input, const Routes& routes, Resources& resources, RouteTable& table)
    : platform_(*input.platform),
      network_(*input.network),
      routes_(routes),
      resources_(resources),
      table_(table),
      rated_(network_.adapters.rated()) {
  place_ranks(input);
  if (network_.routing.kind == Routing::Kind::adaptive) {
    first_cable_ = static_cast<std::uint32_t>(routes.first_cable());
    for (std::uint32_t i = first_cable_; i < static_cast<std::uint32_t>(routes.end_of_cables()); ++i)
      cables_.push_back({routes.parameters(LinkId{i}).bandwidth.si()});
    for (std::uint32_t i = 0; i < routes.adapters(); ++i) switch_of_.push_back(routes.ends(LinkId{i}).second);
  }
  if (network_.routing.kind == Routing::Kind::valiant) sent_.assign(rank_states_.size(), 0);
}

bool MessageRoutes::plain(const Platform& platform, const Network& network) {
  const auto described = [](const NodeType& type) { return type.fabric.described(); };
  return network.adapters.at.empty() && !network.adapters.rated() && !network.aggregation &&
         network.protocol.pair_bandwidth == BytesPerSecond{} && network.routing.kind == Routing::Kind::deterministic &&
         std::ranges::none_of(platform.node_types, described);
}

void MessageRoutes::place_ranks(const ReplayInput& input) {
  std::map<HostId, std::uint32_t> on_host;
  std::map<std::vector<std::uint32_t>, std::uint32_t> orders;
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> keys;
  std::vector<std::uint32_t> first_of_fabric(routes_.nodes());  // nodes whose fabrics are joined follow each other
  for (std::uint32_t node = 0; node < first_of_fabric.size(); ++node)
    first_of_fabric[node] = node > 0 && routes_.share_fabric(NodeId{first_of_fabric[node - 1]}, NodeId{node})
                                ? first_of_fabric[node - 1]
                                : node;
  for (const Placement& placement : input.layout->placements) {
    const FabricRoutes& inside = routes_.inside(placement.node);
    RankState of_rank{.node = placement.node, .gpu = placement.gpu};
    of_rank.described = inside.fabric().described();
    of_rank.element = placement.gpu ? inside.gpu(placement.socket_of_node) : placement.socket_of_node;
    of_rank.home = inside.home(of_rank.element);
    of_rank.leaves_from = placement.gpu && !network_.protocol.gpu_direct ? of_rank.home : of_rank.element;
    const std::uint32_t turn = placement.gpu ? placement.socket_of_node : on_host[placement.host]++;
    auto order = order_of(placement.node_type, of_rank.element, turn);
    leave_dead_adapters_out(order, placement.node);
    const auto [known, fresh] = orders.try_emplace(std::move(order), static_cast<std::uint32_t>(orders_.size()));
    if (fresh) orders_.push_back(known->first);
    of_rank.order = known->second;
    // Two ranks on one element whose adapters differ are two places.
    const std::array<std::uint32_t, 3> place{static_cast<std::uint32_t>(placement.node), of_rank.element,
                                             of_rank.order};
    of_rank.key = by_rank() ? static_cast<std::uint32_t>(rank_states_.size())
                            : keys.try_emplace(place, static_cast<std::uint32_t>(keys.size())).first->second;
    rank_states_.push_back(of_rank);
    const bool joined = of_rank.gpu && of_rank.described && platform_.node_types[placement.node_type].gpu_messages;
    places_.push_back({placement.node, joined ? first_of_fabric[index(placement.node)] : Location::no_gpu});
  }
}

std::vector<std::uint32_t> MessageRoutes::order_of(std::uint32_t type, std::uint32_t element,
                                                   std::uint32_t turn) const {
  const Adapters& adapters = network_.adapters;
  if (adapters.at.empty()) return {0};
  const FabricRoutes& inside = routes_.inside(platform_.first_node_of(type));
  const auto& at = adapters.at[type];
  std::vector<std::uint32_t> order(at.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) order[k] = k;
  const auto distance = [&](std::uint32_t k) { return inside.distance(element, at[k]); };
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return distance(a) < distance(b); });
  for (auto first = order.begin(); first != order.end();) {
    const auto last = std::find_if(first, order.end(), [&](std::uint32_t k) { return distance(*first) < distance(k); });
    std::rotate(first, first + turn % (last - first), last);
    first = last;
  }
  if (adapters.affinity.empty()) return order;
  const auto stated = adapters.affinity[type].find(element);
  if (stated == adapters.affinity[type].end()) return order;
  std::erase_if(order, [&](std::uint32_t k) { return std::ranges::find(stated->second, k) != stated->second.end(); });
  order.insert(order.begin(), stated->second.begin(), stated->second.end());
  return order;
}

/// Where all are dead the routes say so.
void MessageRoutes::leave_dead_adapters_out(std::vector<std::uint32_t>& order, NodeId node) const {
  const auto dead = [&](std::uint32_t number) {
    const auto adapter = static_cast<std::uint32_t>(index(routes_.adapter(node, number)));
    return routes_.down(LinkId{adapter}) || routes_.down(LinkId{routes_.adapters() + adapter});
  };
  if (!network_.faults || std::ranges::all_of(order, dead)) return;
  std::erase_if(order, dead);
}

RouteId MessageRoutes::add_route(const std::vector<LinkId>& links, Path& into, ResourceId connection, bool alone) {
  scratch_.clear();
  double latency = 0.0;
  for (const LinkId id : links) {
    const LinkProperties link = routes_.parameters(id);
    scratch_.push_back(Resources::link(id));
    latency += link.latency.si();
    if (link.kind != ResourceKind::message_rate) into.narrow(link);
  }
  into.latency = std::max(into.latency, latency);
  if (connection != no_resource) {
    scratch_.push_back(connection);
    into.narrowest = std::min(into.narrowest, resources_.capacity(connection));
  }
  return alone ? table_.add(scratch_) : table_.add_next(scratch_);
}

MessageRoutes::Route MessageRoutes::network(Rank from, Rank to, Bytes m) {
  const bool striped = network_.adapters.stripe_over > 1 && m >= network_.adapters.stripe_from;
  if (network_.protocol.pair_limited(m)) {
    const auto [way, fresh] =
        of_pairs_[striped ? 1 : 0].find_or_add(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
    if (fresh)
      way = network_way(from, to, striped ? network_.adapters.stripe_over : 1, resources_.connection(from, to));
    return way;
  }
  const auto [way, fresh] =
      (striped ? striped_ : wires_).find_or_add(rank_states_[index(from)].key, rank_states_[index(to)].key);
  if (fresh) way = network_way(from, to, striped ? network_.adapters.stripe_over : 1);
  return way;
}

std::uint32_t MessageRoutes::number_of(const Path& path) {
  if (!paths_.empty() && paths_.back() == path) return static_cast<std::uint32_t>(paths_.size() - 1);
  const auto [at, fresh] = path_numbers_.try_emplace(path, static_cast<std::uint32_t>(paths_.size()));
  if (fresh) paths_.push_back(path);
  return at->second;
}

MessageRoutes::Route MessageRoutes::single(const std::vector<LinkId>& links, std::vector<ResourceId> before) {
  if (links.empty()) return {};
  Path path;
  for (const ResourceId id : before) path.narrowest = std::min(path.narrowest, resources_.capacity(id));
  for (const LinkId id : links) {
    const LinkProperties link = routes_.parameters(id);
    before.push_back(Resources::link(id));
    path.add(link);
  }
  return {.first = table_.add(before), .path = number_of(path), .parts = 1};
}

void MessageRoutes::append_gpu_links(Rank from, Rank to) {
  const RankState &a = rank_states_[index(from)], &b = rank_states_[index(to)];
  if (a.node == b.node)
    routes_.append_inside(a.node, a.element, b.element, links_);
  else
    routes_.append_over_fabric(a.node, a.element, b.node, b.element, links_);
}

MessageRoutes::Route MessageRoutes::over_gpu_links(Rank from, Rank to) {
  const auto [way, fresh] = over_gpus_.find_or_add(rank_states_[index(from)].key, rank_states_[index(to)].key);
  if (!fresh) return way;
  links_.clear();
  append_gpu_links(from, to);
  return way = single(links_);
}

/// By links of GPUs: PCI Express neither reduces nor multicasts.
bool MessageRoutes::one_switch_joins(std::span<const Rank> team) const {
  std::map<NodeId, std::vector<std::uint32_t>> of_nodes;
  for (const Rank member : team)
    of_nodes[rank_states_[index(member)].node].push_back(rank_states_[index(member)].element);
  return std::ranges::all_of(of_nodes, [&](const auto& one) {
    const FabricRoutes& inside = routes_.inside(one.first);
    const auto found = inside.common_switch(one.second);
    return found && (of_nodes.size() == 1 || *found == inside.fabric().shared);
  });
}

MessageRoutes::Route MessageRoutes::in_switch(std::span<const Rank> team, Rank root, bool reduces) {
  const auto [at, fresh] =
      in_switch_.try_emplace({(std::uint64_t{index(root)} << 1) | (reduces ? 1 : 0), {team.begin(), team.end()}});
  if (!fresh) return at->second;
  if (!one_switch_joins(team))
    throw InputError(
        "platform '{}': GPUs of '{}' are asked to reduce or multicast by a switch, and none joins all of them (PCI "
        "Express does neither). Choose algorithm 'nccl_ring'?",
        platform_.name, platform_.node_types[platform_.type_of(rank_states_[index(root)].node)].name);
  std::vector<LinkId> links;
  const auto add = [&](Rank member, bool up) {  // one link of a way to any other
    const Rank other = member == team.front() ? team.back() : team.front();
    links_.clear();
    append_gpu_links(up ? member : other, up ? other : member);
    links.push_back(up ? links_.front() : links_.back());
  };
  for (const Rank member : team) add(member, reduces);
  add(root, !reduces);
  return at->second = single(links);
}

MessageRoutes::Route MessageRoutes::aggregated(Communicator of, Rank from, Rank to, bool reduces) {
  const Rank root = reduces ? to : from, member = reduces ? from : to;
  Tree& tree = trees_[{static_cast<std::uint32_t>(of), std::uint64_t{index(root)} << 1 | (reduces ? 1 : 0)}];
  const auto [at, fresh] = tree.ways.try_emplace(member);
  if (!fresh) return at->second;
  append_wire(from, to, 0, 0);
  Path path;
  std::vector<ResourceId> own;
  for (const LinkId id : links_) {
    const LinkProperties link = routes_.parameters(id);
    path.add(link);
    if (tree.links.insert(id).second) own.push_back(Resources::link(id));
  }
  return at->second = {.first = table_.add(own), .path = number_of(path), .parts = 1};
}

MessageRoutes::Route MessageRoutes::copy_between_sockets(Rank copier, Rank other, bool to_copier) {
  const RankState &mine = rank_states_[index(copier)], &its = rank_states_[index(other)];
  if (mine.home == its.home || !mine.described) return {};
  const std::uint64_t key = (std::uint64_t{index(copier)} << 16) | (std::uint64_t{its.home} << 1) | (to_copier ? 1 : 0);
  const auto [at, fresh] = crossings_.try_emplace(key);
  if (!fresh) return at->second;
  links_.clear();
  routes_.append_inside(mine.node, to_copier ? its.home : mine.home, to_copier ? mine.home : its.home, links_);
  return at->second = single(links_, {resources_.copy(copier), resources_.memory(copier)});
}

MessageRoutes::Route MessageRoutes::staging(Rank rank, bool to_gpu) {
  const RankState& of_rank = rank_states_[index(rank)];
  if (!of_rank.gpu || !of_rank.described) return {};
  const auto [at, fresh] = stagings_.try_emplace((std::uint64_t{index(rank)} << 1) | (to_gpu ? 1 : 0));
  if (!fresh) return at->second;
  links_.clear();
  routes_.append_inside(of_rank.node, to_gpu ? of_rank.home : of_rank.element, to_gpu ? of_rank.element : of_rank.home,
                        links_);
  return at->second = single(links_);
}

}  // namespace orrery::engine
