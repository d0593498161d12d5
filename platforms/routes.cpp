#include "platforms/routes.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cassert>

#include "platforms/routes_detail.hpp"
#include "sim/core/error.hpp"

namespace orrery {

std::vector<LinkId> Routes::route(NodeId from, NodeId to) const {
  std::vector<LinkId> links;
  append_route(from, to, links);
  return links;
}

Seconds Routes::latency(NodeId from, NodeId to) const {
  Seconds sum;
  for (const LinkId id : route(from, to)) sum += figures(id).latency;
  return sum;
}

BytesPerSecond Routes::bandwidth(NodeId from, NodeId to) const {
  BytesPerSecond narrowest;
  for (const LinkId id : route(from, to)) {
    const BytesPerSecond width = figures(id).bandwidth;
    if (narrowest.si() == 0.0 || width < narrowest) narrowest = width;
  }
  return narrowest;
}

SwitchedRoutes::SwitchedRoutes(std::uint32_t nodes, const Network& network)
    : nodes_(nodes),
      adapters_(network.adapters),
      nic_bandwidth_(network.bandwidth),
      link_bandwidth_(network.link_bandwidth.si() > 0.0 ? network.link_bandwidth : network.bandwidth),
      nic_latency_(network.latency / 2.0),
      link_latency_(network.link_latency) {}

LinkFigures SwitchedRoutes::figures(LinkId id) const {
  const auto i = static_cast<std::uint32_t>(index(id));
  if (i < 2 * nodes_) {
    const ResourceKind kind = i < nodes_ ? ResourceKind::nic_out : ResourceKind::nic_in;
    if (adapters_.empty()) return {kind, nic_bandwidth_, nic_latency_};
    const Adapter& own = adapters_[i < nodes_ ? i : i - nodes_];
    return {kind, own.bandwidth, own.latency / 2.0};
  }
  const std::uint32_t between = i - 2 * nodes_;
  assert(between < switch_links());
  return {ResourceKind::link, switch_link_bandwidth(between), switch_link_latency(between)};
}

Link SwitchedRoutes::link(LinkId id) const {
  const auto i = static_cast<std::uint32_t>(index(id));
  const LinkFigures known = figures(id);
  if (i < nodes_) return {known, fmt::format("nic-out:{}", i)};
  if (i < 2 * nodes_) return {known, fmt::format("nic-in:{}", i - nodes_)};
  const std::uint32_t between = i - 2 * nodes_;
  const auto [from, to] = switch_ends(between);
  return {known, fmt::format("link:{}>{}#{}", switch_name(from), switch_name(to), between)};
}

std::string SwitchedRoutes::words(LinkId id) const {
  const auto i = static_cast<std::uint32_t>(index(id));
  if (i < nodes_) return fmt::format("outgoing NIC of node {}", i);
  if (i < 2 * nodes_) return fmt::format("incoming NIC of node {}", i - nodes_);
  const std::uint32_t between = i - 2 * nodes_;
  const auto [from, to] = switch_ends(between);
  const auto [number, of] = cable_of(between);
  return fmt::format("{} {} to {}{}", relation(between), switch_words(from), switch_words(to),
                     of > 1 ? fmt::format(", cable {} of {}", number, of) : "");
}

void SwitchedRoutes::append_route(NodeId from, NodeId to, std::vector<LinkId>& into) const {
  if (from == to) return;
  const auto a = static_cast<std::uint32_t>(index(from)), b = static_cast<std::uint32_t>(index(to));
  assert(a < nodes_ && b < nodes_);
  into.push_back(LinkId{a});
  append_switch_route(a, b, into);
  into.push_back(LinkId{nodes_ + b});
}

std::pair<std::uint32_t, std::uint32_t> SwitchedRoutes::ends(LinkId id) const {
  const auto i = static_cast<std::uint32_t>(index(id));
  if (i < nodes_) return {i, nodes_ + switch_of(i)};
  if (i < 2 * nodes_) return {nodes_ + switch_of(i - nodes_), i - nodes_};
  const auto [from, to] = switch_ends(i - 2 * nodes_);
  return {nodes_ + from, nodes_ + to};
}

namespace {

/// One switch, all nodes on it.
class StarRoutes final : public SwitchedRoutes {
 public:
  using SwitchedRoutes::SwitchedRoutes;
  std::uint32_t switches() const override { return 1; }
  std::string switch_name(std::uint32_t) const override { return "switch"; }
  std::string switch_words(std::uint32_t) const override { return "the switch"; }

 protected:
  std::uint32_t switch_links() const override { return 0; }
  std::uint32_t switch_of(std::uint32_t) const override { return 0; }
  std::pair<std::uint32_t, std::uint32_t> switch_ends(std::uint32_t) const override { return {0, 0}; }
  void append_switch_route(std::uint32_t, std::uint32_t, std::vector<LinkId>&) const override {}
};

/// A router per node; dimension order, the shorter way round, upwards when both ways are equally long.
///
/// A dimension of n > 2 has 2 links per router (up, down); of 2, one; of 1, none.
class TorusRoutes final : public SwitchedRoutes {
 public:
  TorusRoutes(std::uint32_t nodes, const Network& network, const TorusTopology& torus)
      : SwitchedRoutes(nodes, network), dimensions_(torus.dimensions) {
    for (const auto size : dimensions_) {
      first_link_.push_back(links_per_router_);
      links_per_router_ += size > 2 ? 2 : size - 1;
      routers_ *= size;
    }
  }
  std::uint32_t switches() const override { return routers_; }
  std::string switch_name(std::uint32_t number) const override { return fmt::format("router-{}", number); }
  /// By its coordinates: "router (3, 0, 1)".
  std::string switch_words(std::uint32_t number) const override {
    std::vector<std::uint32_t> place;
    for (const std::uint32_t size : dimensions_) {
      place.push_back(number % size);
      number /= size;
    }
    return fmt::format("router ({})", fmt::join(place, ", "));
  }

 protected:
  std::uint32_t switch_links() const override { return routers_ * links_per_router_; }
  std::uint32_t switch_of(std::uint32_t node) const override { return node; }

  std::pair<std::uint32_t, std::uint32_t> switch_ends(std::uint32_t i) const override {
    const std::uint32_t router = i / links_per_router_, port = i % links_per_router_;
    const auto after = std::ranges::upper_bound(first_link_, port);
    // A dimension of size 1 shares its first port with the next: the last dimension that begins here owns the port.
    const auto dimension = static_cast<std::size_t>(after - first_link_.begin()) - 1;
    return {router, neighbour(router, dimension, port == first_link_[dimension])};
  }

  void append_switch_route(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const override {
    std::uint32_t stride = 1;
    for (std::size_t d = 0; d < dimensions_.size(); ++d) {
      const std::uint32_t size = dimensions_[d];
      const std::uint32_t forward = ((to / stride) % size + size - (from / stride) % size) % size;
      const bool up = 2 * forward <= size;
      for (std::uint32_t hops = up ? forward : size - forward; hops > 0; --hops) {
        into.push_back(switch_link(std::uint64_t{from} * links_per_router_ + first_link_[d] + (up ? 0 : 1)));
        from = neighbour(from, d, up);
      }
      stride *= size;
    }
  }

 private:
  std::uint32_t neighbour(std::uint32_t router, std::size_t dimension, bool up) const {
    std::uint32_t stride = 1;
    for (std::size_t d = 0; d < dimension; ++d) stride *= dimensions_[d];
    const std::uint32_t size = dimensions_[dimension], place = (router / stride) % size;
    const std::uint32_t next = (place + (up ? 1 : size - 1)) % size;
    return router - place * stride + next * stride;
  }

  std::vector<std::uint32_t> dimensions_, first_link_;
  std::uint32_t links_per_router_ = 0, routers_ = 1;
};

std::uint64_t places_of(const Topology& topology, std::uint64_t nodes) {
  std::uint64_t places = 1;
  if (const auto* tree = std::get_if<FatTreeTopology>(&topology)) {
    for (const auto down : tree->down) places *= down;
  } else if (const auto* torus = std::get_if<TorusTopology>(&topology)) {
    for (const auto size : torus->dimensions) places *= size;
  } else if (const auto* fly = std::get_if<DragonflyTopology>(&topology)) {
    places = std::uint64_t{fly->groups} * fly->routers * fly->nodes;
  } else {
    places = nodes;
  }
  return places;
}

}  // namespace

std::unique_ptr<Routes> build_routes(const Platform& platform, const Network& network) {
  const std::uint32_t nodes = platform.nodes();
  const std::string where = platform.file.empty() ? "platform '" + platform.name + "'" : platform.file;
  if (const auto places = places_of(network.topology, nodes); places < nodes)
    throw InputError(
        fmt::format("{}: network '{}' has {} places, but the platform has {} nodes (each needs a place). "
                    "Enlarge its topology?",
                    where, network.name, places, nodes));
  if (const auto* torus = std::get_if<TorusTopology>(&network.topology))
    return std::make_unique<TorusRoutes>(nodes, network, *torus);
  if (std::holds_alternative<FatTreeTopology>(network.topology)) return make_fat_tree_routes(nodes, network);
  if (std::holds_alternative<DragonflyTopology>(network.topology)) return make_dragonfly_routes(nodes, network);
  if (std::holds_alternative<GraphTopology>(network.topology)) return make_graph_routes(nodes, network, where);
  return std::make_unique<StarRoutes>(nodes, network);
}

}  // namespace orrery
