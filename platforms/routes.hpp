/// The links between two nodes, for every topology; the one route table both engines and the models use.
///
/// Nothing is materialised that a formula gives: star, fat-tree (d-mod-k), torus (dimension order, shorter way round)
/// and dragonfly (minimal) compute each route; a free graph is routed by Boost.Graph (fewest hops, then least latency)
/// with a cache. A route starts with the sender's NIC out and ends with the receiver's NIC in.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/replay_result.hpp"

namespace orrery {

struct Link {
  std::string name;
  ResourceKind kind{};
  BytesPerSecond bandwidth;
  Seconds latency;
};

class Routes {
 public:
  virtual ~Routes() = default;
  virtual std::uint32_t nodes() const = 0;
  virtual std::uint32_t links() const = 0;
  virtual Link link(LinkId id) const = 0;
  /// Appends the links from one node to another, in order; nothing for a node to itself.
  virtual void append_route(NodeId from, NodeId to, std::vector<LinkId>& into) const = 0;

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
