#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "platforms/routes_detail.hpp"
#include "platforms/sharing.hpp"

namespace orrery {

namespace {

std::uint32_t leaf_size(const Topology& topology) {
  if (const auto* tree = std::get_if<FatTreeTopology>(&topology)) return tree->down.front();
  if (const auto* fly = std::get_if<DragonflyTopology>(&topology)) return fly->nodes;
  if (const auto* fly = std::get_if<DragonflyPlusTopology>(&topology)) return fly->nodes;
  return 0;
}

}  // namespace

AdapterPlaces::AdapterPlaces(const Platform& platform, const Network& network) : nodes_(platform.nodes()) {
  std::uint32_t node = 0;
  for (std::uint32_t type = 0; type < platform.node_types.size(); ++type) {
    const std::uint32_t count = platform.node_counts[type], of_node = network.adapters.of_type(type);
    types_.push_back({node, joined_, adapters_, of_node});
    node += count;
    adapters_ += count * of_node;
    if (of_node > 0) joined_ += count;
    one_each_ = one_each_ && of_node == 1;
  }
  if (!network.adapters.rail_leaves || one_each_) return;
  leaf_ = leaf_size(network.topology);
  if (leaf_ > 0) set_leaves(platform.node_counts);
}

/// A block of nodes has as many leaves as its node with the most adapters.
void AdapterPlaces::set_leaves(const std::vector<std::uint32_t>& node_counts) {
  std::vector<std::uint32_t> of_block((nodes_ + leaf_ - 1) / leaf_, 0);
  for (std::size_t type = 0; type < types_.size(); ++type) {
    const std::uint32_t first = types_[type].first_node, end = first + node_counts[type];
    for (std::uint32_t block = first / leaf_; first < end && block <= (end - 1) / leaf_; ++block)
      of_block[block] = std::max(of_block[block], types_[type].of_node);
  }
  first_leaf_.assign(1, 0);
  for (const std::uint32_t leaves : of_block) first_leaf_.push_back(first_leaf_.back() + leaves);
}

std::uint32_t AdapterPlaces::first_of(std::uint32_t node) const {
  if (one_each_) return node;
  const auto after = std::ranges::upper_bound(types_, node, {}, &Type::first_node);
  const Type& type = *std::prev(after);
  return type.first_adapter + (node - type.first_node) * type.of_node;
}

/// Of types that begin with the same adapter the last has it: those before have none.
const AdapterPlaces::Type& AdapterPlaces::type_of(std::uint32_t adapter) const {
  return *std::prev(std::ranges::upper_bound(types_, adapter, {}, &Type::first_adapter));
}

std::uint32_t AdapterPlaces::joined_of(std::uint32_t adapter) const {
  if (one_each_) return adapter;
  const Type& type = type_of(adapter);
  return type.first_joined + (adapter - type.first_adapter) / type.of_node;
}

std::uint32_t AdapterPlaces::node_of(std::uint32_t adapter) const {
  if (one_each_) return adapter;
  const Type& type = type_of(adapter);
  return type.first_node + (adapter - type.first_adapter) / type.of_node;
}

std::uint32_t AdapterPlaces::place_of(std::uint32_t adapter) const {
  if (leaf_ == 0) return adapter;
  const std::uint32_t node = node_of(adapter), rail = adapter - first_of(node);
  return (first_leaf_[node / leaf_] + rail) * leaf_ + node % leaf_;
}

std::uint64_t AdapterPlaces::places() const {
  std::uint64_t most = 0;
  if (leaf_ == 0) return adapters_;
  for (std::uint32_t adapter = 0; adapter < adapters_; ++adapter)
    most = std::max(most, std::uint64_t{place_of(adapter)} + 1);
  return most;
}

SwitchedRoutes::SwitchedRoutes(const Platform& platform, const Network& network)
    : places_(platform, network),
      nics_(network.nics),
      nic_{network.bandwidth, network.latency, network.sharing, network.both_ways},
      link_bandwidth_(network.link_bandwidth.si() > 0.0 ? network.link_bandwidth : network.bandwidth),
      link_latency_(network.link_latency),
      both_ways_(
          nics_.empty()
              ? limit_both_ways(nic_) > BytesPerSecond{}
              : std::ranges::any_of(nics_, [](const Adapter& nic) { return limit_both_ways(nic) > BytesPerSecond{}; })),
      rated_(network.adapters.rated()) {
  std::uint32_t node = 0;
  for (std::size_t t = 0; t < platform.node_types.size(); ++t) {
    const NodeType& type = platform.node_types[t];
    fabrics_.push_back({FabricRoutes(type), node, inside_links_});
    node += platform.node_counts[t];
    inside_links_ += platform.node_counts[t] * fabrics_.back().routes.links();
  }
}

std::size_t SwitchedRoutes::type_of(std::size_t node) const {
  std::size_t type = fabrics_.size() - 1;
  while (type > 0 && fabrics_[type].first_node > node) --type;
  return type;
}

LinkId SwitchedRoutes::inside_link(const Inside& type, std::size_t node, std::uint32_t link) const {
  const auto local = static_cast<std::uint32_t>(node) - type.first_node;
  return LinkId{first_inside() + type.first_link + local * type.routes.links() + link};
}

SwitchedRoutes::InsideLink SwitchedRoutes::inside_link_of(std::uint32_t id) const {
  const std::uint32_t i = id - first_inside();
  std::size_t type = fabrics_.size() - 1;
  while (fabrics_[type].routes.links() == 0 || fabrics_[type].first_link > i) --type;
  const Inside& found = fabrics_[type];
  const std::uint32_t local = i - found.first_link, links = found.routes.links();
  return {found.first_node + local / links, local % links, &found};
}

LinkProperties SwitchedRoutes::parameters(LinkId id) const {
  const auto i = static_cast<std::uint32_t>(index(id));
  const std::uint32_t adapters = places_.adapters();
  if (i < 2 * adapters) {
    const ResourceKind kind = i < adapters ? ResourceKind::nic_out : ResourceKind::nic_in;
    const Adapter& own = nic_of(i < adapters ? i : i - adapters);
    return {kind, own.bandwidth, own.latency / 2.0, own.sharing == Sharing::none};
  }
  const std::uint32_t between = i - 2 * adapters;
  if (between < switch_links())
    return {switch_link_kind(between), switch_link_bandwidth(between), switch_link_latency(between),
            switch_link_alone(between)};
  if (i < first_rate()) return parameters_of_shared(i);
  if (i < first_inside()) return {ResourceKind::message_rate, nic_.bandwidth, Seconds{}};
  assert(i < links());
  const InsideLink found = inside_link_of(i);
  const Fabric::Cable& cable = found.type->routes.fabric().cables[found.link / 2];
  return {cable.kind, cable.bandwidth, cable.latency};
}

Link SwitchedRoutes::link(LinkId id) const {
  const auto i = static_cast<std::uint32_t>(index(id));
  const std::uint32_t adapters = places_.adapters();
  const LinkProperties known = parameters(id);
  if (i < adapters) return {known, fmt::format("nic-out:{}", i)};
  if (i < 2 * adapters) return {known, fmt::format("nic-in:{}", i - adapters)};
  const std::uint32_t between = i - 2 * adapters;
  if (between < switch_links()) {
    const auto [from, to] = switch_ends(between);
    return {known, fmt::format("link:{}>{}#{}", switch_name(from), switch_name(to), between)};
  }
  if (i < first_part()) return {known, fmt::format("nic-both-ways:{}", i - first_shared())};
  if (i < first_rate()) return {known, shared_parts()[i - first_part()].name};
  if (const std::uint32_t rate = i - first_rate(); i < first_inside())
    return {known, fmt::format("message-rate-{}:{}", rate < adapters ? "out" : "in", rate % adapters)};
  const InsideLink found = inside_link_of(i);
  return {known, fmt::format("inside:{}#{}", found.node, found.link)};
}

template <class NodeName>
std::string SwitchedRoutes::words_of(LinkId id, const NodeName& node_name) const {
  const auto i = static_cast<std::uint32_t>(index(id));
  const std::uint32_t adapters = places_.adapters();
  const auto of_adapter = [&](const char* one, const char* several, std::uint32_t adapter) {
    const std::uint32_t node = places_.node_of(adapter);
    if (places_.one_each()) return fmt::format("{} of {}", one, node_name(node));
    return fmt::format("{} {} of {}", several, adapter - places_.first_of(node), node_name(node));
  };
  if (i < adapters) return of_adapter("outgoing NIC", "outgoing adapter", i);
  if (i < 2 * adapters) return of_adapter("incoming NIC", "incoming adapter", i - adapters);
  const std::uint32_t between = i - 2 * adapters;
  if (between < switch_links()) {
    const auto [from, to] = switch_ends(between);
    const auto [number, of] = cable_of(between);
    return fmt::format("{} {} to {}{}", relation(between), switch_words(from), switch_words(to),
                       of > 1 ? fmt::format(", cable {} of {}", number, of) : "");
  }
  if (i < first_part())
    return of_adapter("both directions of the NIC", "both directions of adapter", i - first_shared());
  if (i < first_rate()) return shared_parts()[i - first_part()].words;
  if (i < first_inside()) {
    const std::uint32_t rate = i - first_rate();
    return rate < adapters
               ? of_adapter("outgoing messages of the NIC", "outgoing messages of adapter", rate)
               : of_adapter("incoming messages of the NIC", "incoming messages of adapter", rate - adapters);
  }
  const InsideLink found = inside_link_of(i);
  return fmt::format("{} of {}", found.type->routes.link_words(found.link), node_name(found.node));
}

std::string SwitchedRoutes::words(LinkId id) const {
  return words_of(id, [](std::uint32_t node) { return fmt::format("node {}", node); });
}

std::string SwitchedRoutes::words(LinkId id, const Platform& platform) const {
  return words_of(id, [&](std::uint32_t node) { return platform.node_name(NodeId{node}); });
}

AdapterId SwitchedRoutes::adapter(NodeId node, std::uint32_t number) const {
  return AdapterId{places_.first_of(static_cast<std::uint32_t>(index(node))) + number};
}

NodeId SwitchedRoutes::node_of(AdapterId adapter) const {
  return NodeId{places_.node_of(static_cast<std::uint32_t>(index(adapter)))};
}

void SwitchedRoutes::append_route(AdapterId from, AdapterId to, std::vector<LinkId>& into) const {
  if (from == to) return;
  const auto a = static_cast<std::uint32_t>(index(from)), b = static_cast<std::uint32_t>(index(to));
  assert(a < places_.adapters() && b < places_.adapters());
  const std::size_t first = into.size();
  into.push_back(LinkId{a});
  append_switch_route(places_.place_of(a), places_.place_of(b), into);
  into.push_back(LinkId{places_.adapters() + b});
  add_shared(first, into);
}

PathCounts SwitchedRoutes::paths(AdapterId from, AdapterId to) const {
  if (from == to) return {};
  return switch_paths(places_.place_of(static_cast<std::uint32_t>(index(from))),
                      places_.place_of(static_cast<std::uint32_t>(index(to))));
}

void SwitchedRoutes::append_path(AdapterId from, AdapterId to, std::uint64_t path, std::vector<LinkId>& into) const {
  if (from == to) return;
  const auto a = static_cast<std::uint32_t>(index(from)), b = static_cast<std::uint32_t>(index(to));
  const std::size_t first = into.size();
  into.push_back(LinkId{a});
  append_switch_path(places_.place_of(a), places_.place_of(b), path, into);
  into.push_back(LinkId{places_.adapters() + b});
  add_shared(first, into);
}

void SwitchedRoutes::append_message_rates(AdapterId from, AdapterId to, std::vector<LinkId>& into) const {
  if (!rated_ || from == to) return;
  into.push_back(LinkId{first_rate() + static_cast<std::uint32_t>(index(from))});
  into.push_back(LinkId{first_rate() + places_.adapters() + static_cast<std::uint32_t>(index(to))});
}

void SwitchedRoutes::append_inside(NodeId node, std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const {
  const Inside& type = fabrics_[type_of(index(node))];
  for (const std::uint32_t link : type.routes.route(from, to)) into.push_back(inside_link(type, index(node), link));
}

bool SwitchedRoutes::share_fabric(NodeId a, NodeId b) const {
  const std::size_t type = type_of(index(a));
  const Inside& its = fabrics_[type];
  if (its.routes.fabric().span < 2 || type_of(index(b)) != type) return false;
  return (index(a) - its.first_node) / its.routes.fabric().span ==
         (index(b) - its.first_node) / its.routes.fabric().span;
}

void SwitchedRoutes::append_over_fabric(NodeId from, std::uint32_t element, NodeId to, std::uint32_t other,
                                        std::vector<LinkId>& into) const {
  const std::uint32_t shared = fabrics_[type_of(index(from))].routes.fabric().shared;
  append_inside(from, element, shared, into);
  append_inside(to, shared, other, into);
}

std::pair<std::uint32_t, std::uint32_t> SwitchedRoutes::ends(LinkId id) const {
  const auto i = static_cast<std::uint32_t>(index(id));
  const std::uint32_t adapters = places_.adapters();
  if (i < adapters) return {i, adapters + switch_of(places_.place_of(i))};
  if (i < 2 * adapters) return {adapters + switch_of(places_.place_of(i - adapters)), i - adapters};
  if (i >= first_part()) {
    const SharedPart& part = shared_parts()[i - first_part()];
    return {adapters + part.from, adapters + part.to};
  }
  if (i >= first_shared()) return ends(LinkId{i - first_shared()});
  const auto [from, to] = switch_ends(i - 2 * adapters);
  return {adapters + from, adapters + to};
}

}  // namespace orrery
