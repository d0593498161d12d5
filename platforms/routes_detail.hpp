/// What the routes of every topology share: NICs. Private to platforms/.
#pragma once

#include "platforms/routes.hpp"

namespace orrery {

/// Links 0..n-1 are the NICs' out sides, n..2n-1 their in sides; links between switches follow.
class SwitchedRoutes : public Routes {
 public:
  SwitchedRoutes(std::uint32_t nodes, const Network& network);

  std::uint32_t nodes() const final { return nodes_; }
  std::uint32_t links() const final { return 2 * nodes_ + switch_links(); }
  LinkFigures figures(LinkId id) const final;
  Link link(LinkId id) const final;
  std::string words(LinkId id) const final;
  void append_route(NodeId from, NodeId to, std::vector<LinkId>& into) const final;
  std::pair<std::uint32_t, std::uint32_t> ends(LinkId id) const final;

 protected:
  virtual std::uint32_t switch_links() const = 0;
  virtual std::uint32_t switch_of(std::uint32_t node) const = 0;
  /// Ends of the i-th link between switches, as switch numbers.
  virtual std::pair<std::uint32_t, std::uint32_t> switch_ends(std::uint32_t i) const = 0;
  /// Which of the cables that join its two ends a link is, from 1, and of how many.
  struct Cable {
    std::uint32_t number = 1, of = 1;
  };
  virtual Cable cable_of(std::uint32_t) const { return {}; }
  /// "uplink of", "global link from": what a link is to the switch it leads from.
  virtual std::string relation(std::uint32_t) const { return "link from"; }
  /// Links between the switches of two different nodes.
  virtual void append_switch_route(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const = 0;
  virtual BytesPerSecond switch_link_bandwidth(std::uint32_t) const { return link_bandwidth_; }
  virtual Seconds switch_link_latency(std::uint32_t) const { return link_latency_; }

  LinkId switch_link(std::uint64_t i) const {
    return LinkId{static_cast<std::uint32_t>(2 * std::uint64_t{nodes_} + i)};
  }

 private:
  std::uint32_t nodes_;
  std::vector<Adapter> adapters_;  ///< [nodes] where they differ
  BytesPerSecond nic_bandwidth_, link_bandwidth_;
  Seconds nic_latency_, link_latency_;  ///< a NIC carries half of the network's latency at each end
};

std::unique_ptr<Routes> make_fat_tree_routes(std::uint32_t nodes, const Network& network);
std::unique_ptr<Routes> make_dragonfly_routes(std::uint32_t nodes, const Network& network);
/// Throws InputError opened by `where` when two nodes have no path.
std::unique_ptr<Routes> make_graph_routes(std::uint32_t nodes, const Network& network, const std::string& where);

}  // namespace orrery
