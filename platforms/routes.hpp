/// The links between two places of a cluster, for every topology; the one route table engines and models use.
///
/// Nothing is materialised that a formula gives: star, fat-tree (d-mod-k), torus (dimension order, shorter way round),
/// dragonfly and dragonfly+ (minimal) compute each route; a free graph is routed by Boost.Graph (fewest hops, then
/// least latency, spread over equal ways by the destination) with a cache. A route between adapters starts with one's NIC out and ends with the other's NIC in.
///
///   links   0 .. P-1       NICs out, P adapters node by node (one to a node: its number)
///           P .. 2P-1      NICs in
///           then           the links between switches, of a medium too: one-way wires between it and its switches
///           then           what all directions share: adapters both ways, half-duplex links, media
///           then           2 P message rates, out and in, where the network states one
///           then           the links inside the nodes, node by node (fabric.hpp)
///
/// `append_route` is the way of `deterministic` routing. The other ways between two adapters are numbered: `paths` says
/// how many are minimal and how many are detours over a place in between (Valiant), `append_path` appends one.
///
/// Checked  tests/unit/platforms/routes_test.cpp, paths_test.cpp
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "platforms/description.hpp"
#include "platforms/fabric.hpp"
#include "sim/core/replay_result.hpp"

namespace orrery {

enum class AdapterId : std::uint32_t {};

struct LinkProperties {
  ResourceKind kind{};
  BytesPerSecond bandwidth;
  Seconds latency;
  bool alone = false;  ///< each message by itself gets no more than its bandwidth; nothing is shared
};
struct Link : LinkProperties {
  std::string name;
};
/// Numbers of ways between two adapters: the minimal ones are 0 .. minimal-1, detours follow.
struct PathCounts {
  std::uint64_t minimal = 1, detours = 0;
};

class Routes {
 public:
  virtual ~Routes() = default;
  virtual std::uint32_t nodes() const = 0;
  virtual std::uint32_t adapters() const = 0;
  virtual std::uint32_t links() const = 0;
  /// The links between switches.
  LinkId first_cable() const { return LinkId{2 * adapters()}; }
  virtual LinkId end_of_cables() const = 0;
  virtual LinkProperties parameters(LinkId id) const = 0;
  /// Whether nothing can take the link (platforms/faults.hpp): routes lead round it.
  virtual bool down(LinkId) const { return false; }
  /// Parameters and name.
  virtual Link link(LinkId id) const = 0;

  virtual AdapterId adapter(NodeId node, std::uint32_t number) const = 0;
  virtual NodeId node_of(AdapterId adapter) const = 0;
  /// Adds what all directions share to the links from one NIC out to one NIC in, before the latter.
  virtual void add_shared(std::size_t first, std::vector<LinkId>& into) const = 0;
  /// Whether the link is one of these.
  virtual bool is_shared(LinkId id) const = 0;
  /// What both directions of a NIC or a link share, where they do.
  virtual std::optional<LinkId> shared_by(LinkId id) const = 0;
  /// Whether the link joins a medium to a switch on it, which has no bandwidth but the medium's.
  virtual bool is_wire(LinkId id) const = 0;
  /// The medium that a switch, by its number, is; none where it is a switch.
  std::optional<LinkId> medium_at(std::uint32_t number) const;
  /// Appends the links from one adapter to another, in order; nothing for an adapter to itself.
  virtual void append_route(AdapterId from, AdapterId to, std::vector<LinkId>& into) const = 0;
  virtual PathCounts paths(AdapterId from, AdapterId to) const = 0;
  virtual void append_path(AdapterId from, AdapterId to, std::uint64_t path, std::vector<LinkId>& into) const = 0;
  /// What the messages from one adapter to another take of both; nothing where the network states no rate.
  virtual void append_message_rates(AdapterId from, AdapterId to, std::vector<LinkId>& into) const = 0;

  virtual const FabricRoutes& inside(NodeId node) const = 0;
  /// The links of the fabric from one element of a node to another; nothing where the fabric is not described.
  virtual void append_inside(NodeId node, std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const = 0;
  /// Whether the nodes share a switch of their fabrics, and the links over it.
  virtual bool share_fabric(NodeId a, NodeId b) const = 0;
  virtual void append_over_fabric(NodeId from, std::uint32_t element, NodeId to, std::uint32_t other,
                                  std::vector<LinkId>& into) const = 0;

  /// Switches or routers. As vertices of the network's graph, adapters are 0..adapters-1 and the switches follow.
  virtual std::uint32_t switches() const = 0;
  virtual std::string switch_name(std::uint32_t number) const = 0;
  /// For people: "leaf switch 18", "router 2 of group 3".
  virtual std::string switch_words(std::uint32_t number) const = 0;
  /// "uplink of leaf switch 18 to spine switch 3, cable 2 of 4"; of a NIC "outgoing NIC of node 7".
  virtual std::string words(LinkId id) const = 0;
  /// The same with the node's name in place of its number.
  virtual std::string words(LinkId id, const Platform& platform) const = 0;
  /// The vertices a NIC or a link between switches leads from and to. Links are one-way; a cable is two of them.
  virtual std::pair<std::uint32_t, std::uint32_t> ends(LinkId id) const = 0;

  /// Between the first adapters of two nodes.
  void append_route(NodeId from, NodeId to, std::vector<LinkId>& into) const {
    append_route(adapter(from, 0), adapter(to, 0), into);
  }
  std::vector<LinkId> route(NodeId from, NodeId to) const;
  /// Sum of the link latencies of the route.
  Seconds latency(NodeId from, NodeId to) const;
  /// Narrowest link of the route.
  BytesPerSecond bandwidth(NodeId from, NodeId to) const;
};

/// Routes of one network of a platform. Throws InputError when the topology does not hold the platform's adapters or a
/// graph is not connected (naming two nodes without a path); opened by `where`, or by the platform's file or name.
std::unique_ptr<Routes> build_routes(const Platform& platform, const Network& network, const std::string& where = {});

}  // namespace orrery
