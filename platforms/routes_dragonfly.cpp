/// Dragonfly: groups of routers joined all to all, groups joined by global links; minimal routes (at most local,
/// global, local). The numbered ways between two groups: over each copy, then over each other group by each copy; in a
/// group: straight, then over each other router.
///
///   port k of a group, k = router h + j, leads to group (G + 1 + k mod (g-1)) mod g as its copy c = k / (g-1);
///   it meets that group's port k' = (g - 2 - k mod (g-1)) + c (g-1)
///
///   g  groups   a  routers per group   h  global links per router; ports beyond c_max (g-1), c_max = a h / (g-1),
///   stay unused. A route towards node d takes copy d mod c_max.
///
/// Source   Kim, Dally, Scott & Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008 (topology and
///          minimal routing); the order of global links is the 'relative' one of Camarero, Vallejo & Beivide, 2014
/// Checked  tests/unit/platforms/routes_test.cpp
#include <fmt/format.h>

#include <algorithm>

#include "platforms/routes_detail.hpp"

namespace orrery {

namespace {

class DragonflyRoutes final : public SwitchedRoutes {
 public:
  DragonflyRoutes(const Platform& platform, const Network& network, const DragonflyTopology& fly)
      : SwitchedRoutes(platform, network),
        groups_(fly.groups),
        routers_(fly.routers),
        nodes_per_router_(fly.nodes),
        global_(fly.global_links),
        copies_(fly.groups > 1 ? fly.routers * fly.global_links / (fly.groups - 1) : 0),
        local_links_(fly.groups * fly.routers * (fly.routers - 1)),
        global_latency_(fly.global_latency) {}

  std::uint32_t switches() const override { return groups_ * routers_; }
  std::string switch_name(std::uint32_t number) const override {
    return fmt::format("group{}-router{}", number / routers_, number % routers_);
  }
  std::string switch_words(std::uint32_t number) const override {
    return fmt::format("router {} of group {}", number % routers_, number / routers_);
  }

 protected:
  std::uint32_t switch_links() const override { return local_links_ + groups_ * ports(); }
  std::uint32_t switch_of(std::uint32_t node) const override { return node / nodes_per_router_; }

  std::pair<std::uint32_t, std::uint32_t> switch_ends(std::uint32_t i) const override {
    if (i < local_links_) {
      const std::uint32_t router = i / (routers_ - 1), other = i % (routers_ - 1);
      const std::uint32_t group = router / routers_;
      return {router, group * routers_ + other + (other >= router % routers_ ? 1 : 0)};
    }
    const std::uint32_t group = (i - local_links_) / ports(), port = (i - local_links_) % ports();
    const std::uint32_t offset = port % (groups_ - 1);
    const std::uint32_t peer_port = groups_ - 2 - offset + port / (groups_ - 1) * (groups_ - 1);
    return {group * routers_ + port / global_, (group + 1 + offset) % groups_ * routers_ + peer_port / global_};
  }

  /// Copies of a pair of groups may meet at the same two routers.
  Cable cable_of(std::uint32_t i) const override {
    if (i < local_links_) return {};
    const std::uint32_t port = (i - local_links_) % ports(), first = i - port;
    Cable cable{.number = 1, .of = 0};
    for (std::uint32_t copy = port % (groups_ - 1); copy < ports(); copy += groups_ - 1) {
      if (switch_ends(first + copy) != switch_ends(i)) continue;
      cable.of += 1;
      if (copy < port) cable.number += 1;
    }
    return cable;
  }
  std::string relation(std::uint32_t i) const override {
    return i < local_links_ ? "local link from" : "global link from";
  }

  ResourceKind switch_link_kind(std::uint32_t i) const override {
    return i < local_links_ ? ResourceKind::link : ResourceKind::global_link;
  }
  Seconds switch_link_latency(std::uint32_t i) const override {
    return SwitchedRoutes::switch_link_latency(i) + (i < local_links_ ? Seconds{} : global_latency_);
  }

  void append_switch_route(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const override {
    std::uint32_t at = switch_of(from);
    const std::uint32_t end = switch_of(to);
    if (at / routers_ != end / routers_) at = append_global(at, end / routers_, to % copies_, into);
    append_local(at, end, into);
  }

  PathCounts switch_paths(std::uint32_t from, std::uint32_t to) const override {
    const std::uint32_t a = switch_of(from), b = switch_of(to);
    if (a == b) return {};
    if (a / routers_ == b / routers_) return {1, routers_ - 2};
    return {copies_, std::uint64_t{groups_ - 2} * copies_};
  }

  void append_switch_path(std::uint32_t from, std::uint32_t to, std::uint64_t path,
                          std::vector<LinkId>& into) const override {
    std::uint32_t at = switch_of(from);
    const std::uint32_t end = switch_of(to), here = at / routers_, there = end / routers_;
    if (here == there) {
      if (path > 0) {
        const std::uint32_t over = here * routers_ + other_than(at % routers_, end % routers_, path - 1);
        append_local(at, over, into);
        at = over;
      }
      return append_local(at, end, into);
    }
    const auto copy = static_cast<std::uint32_t>(path % copies_);
    if (path >= copies_) at = append_global(at, other_than(here, there, path / copies_ - 1), copy, into);
    append_local(append_global(at, there, copy, into), end, into);
  }

 private:
  std::uint32_t ports() const { return copies_ * (groups_ - 1); }

  /// The i-th number that is neither of two.
  static std::uint32_t other_than(std::uint32_t a, std::uint32_t b, std::uint64_t i) {
    auto number = static_cast<std::uint32_t>(i);
    for (const std::uint32_t taken : {std::min(a, b), std::max(a, b)})
      if (number >= taken) ++number;
    return number;
  }

  /// To another group over a copy of the link between them; returns the router where that ends.
  std::uint32_t append_global(std::uint32_t at, std::uint32_t to_group, std::uint32_t copy,
                              std::vector<LinkId>& into) const {
    const std::uint32_t group = at / routers_;
    const std::uint32_t port = (to_group + groups_ - group) % groups_ - 1 + copy * (groups_ - 1);
    append_local(at, group * routers_ + port / global_, into);
    const std::uint32_t global = local_links_ + group * ports() + port;
    into.push_back(switch_link(global));
    return switch_ends(global).second;
  }

  void append_local(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const {
    if (from == to) return;
    const std::uint32_t here = from % routers_, there = to % routers_;
    into.push_back(switch_link(std::uint64_t{from} * (routers_ - 1) + there - (there > here ? 1 : 0)));
  }

  std::uint32_t groups_, routers_, nodes_per_router_, global_, copies_, local_links_;
  Seconds global_latency_;
};

}  // namespace

std::unique_ptr<Routes> make_dragonfly_routes(const Platform& platform, const Network& network) {
  return std::make_unique<DragonflyRoutes>(platform, network, std::get<DragonflyTopology>(network.topology));
}

}  // namespace orrery
