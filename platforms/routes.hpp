/// The links between two nodes, for every topology; the one route table both engines and the models use.
///
/// Nothing is materialised that a formula gives: star, fat-tree (d-mod-k), torus (dimension order, shorter way round)
/// and dragonfly (minimal) compute each route; a free graph is routed by Boost.Graph (fewest hops, then least latency)
/// with a cache. A route starts with the sender's NIC out and ends with the receiver's NIC in.
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/replay_result.hpp"

namespace orrery {

struct LinkFigures {
  ResourceKind kind{};
  BytesPerSecond bandwidth;
  Seconds latency;
};
struct Link : LinkFigures {
  std::string name;
};

class Routes {
 public:
  virtual ~Routes() = default;
  virtual std::uint32_t nodes() const = 0;
  virtual std::uint32_t links() const = 0;
  virtual LinkFigures figures(LinkId id) const = 0;
  /// Figures and name.
  virtual Link link(LinkId id) const = 0;
  /// Appends the links from one node to another, in order; nothing for a node to itself.
  virtual void append_route(NodeId from, NodeId to, std::vector<LinkId>& into) const = 0;

  /// Switches or routers. As vertices of the network's graph, nodes are 0..nodes-1 and the switches follow.
  virtual std::uint32_t switches() const = 0;
  virtual std::string switch_name(std::uint32_t number) const = 0;
  /// For people: "leaf switch 18", "router 2 of group 3".
  virtual std::string switch_words(std::uint32_t number) const = 0;
  /// "uplink of leaf switch 18 to spine switch 3, cable 2 of 4"; of a NIC "outgoing NIC of node 7".
  virtual std::string words(LinkId id) const = 0;
  /// The vertices a link leads from and to. Links are one-way; a cable is two of them.
  virtual std::pair<std::uint32_t, std::uint32_t> ends(LinkId id) const = 0;

  std::vector<LinkId> route(NodeId from, NodeId to) const;
  /// Sum of the link latencies of the route.
  Seconds latency(NodeId from, NodeId to) const;
  /// Narrowest link of the route.
  BytesPerSecond bandwidth(NodeId from, NodeId to) const;
};

/// Routes of one network of a platform. Throws InputError when the topology does not hold the platform's nodes or a
/// graph is not connected (naming two nodes without a path).
std::unique_ptr<Routes> build_routes(const Platform& platform, const Network& network);

}  // namespace orrery
