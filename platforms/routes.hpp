/// The links between two places of a cluster, for every topology: the route table of engines and models.
///
/// Routes with a formula are not stored: star, fat-tree (d-mod-k), torus (dimension order, shorter direction),
/// dragonfly and dragonfly+ (minimal) compute each route. A free graph uses Boost.Graph with a cache: fewest hops, then
/// least latency, spread over equal routes by destination. A route between adapters starts with a NIC out and ends with
/// a NIC in.
///
///   links   0 .. P-1       NICs out, P adapters node by node (one to a node: its number)
///           P .. 2P-1      NICs in
///           then           the links between switches, of a medium too: one-way wires between it and its switches
///           then           what all directions share: adapters both ways, half-duplex links, media
///           then           2 P message rates, out and in, where the network states one
///           then           the links inside the nodes, node by node (fabric.hpp)
///
/// `append_route` is the route of `deterministic` routing. The other routes between two adapters are numbered: `paths`
/// returns the numbers of minimal ones and of detours over a place in between (Valiant), `append_path` appends one.
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
  bool alone = false;  ///< limits each message separately to its bandwidth; nothing is shared
};
struct Link : LinkProperties {
  std::string name;
};
/// Numbers of routes between two adapters: the minimal ones are 0 .. minimal-1, detours follow.
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
  /// Whether the link is dead (platforms/faults.hpp): routes avoid it.
  virtual bool down(LinkId) const { return false; }
  /// Parameters and name.
  virtual Link link(LinkId id) const = 0;

  virtual AdapterId adapter(NodeId node, std::uint32_t number) const = 0;
  virtual NodeId node_of(AdapterId adapter) const = 0;
  /// Adds the resources that all directions share to the links from one NIC out to one NIC in, before the latter.
  virtual void add_shared(std::size_t first, std::vector<LinkId>& into) const = 0;
  /// Whether the link is one of these resources.
  virtual bool is_shared(LinkId id) const = 0;
  /// The resource that both directions of a NIC or a link share, if any.
  virtual std::optional<LinkId> shared_by(LinkId id) const = 0;
  /// Whether the link connects a medium to a switch on it; it has no bandwidth except the medium's.
  virtual bool is_wire(LinkId id) const = 0;
  /// The medium with this switch number; empty if it is a switch.
  std::optional<LinkId> medium_at(std::uint32_t number) const;
  /// Appends the links from one adapter to another, in order; none for an adapter to itself.
  virtual void append_route(AdapterId from, AdapterId to, std::vector<LinkId>& into) const = 0;
  virtual PathCounts paths(AdapterId from, AdapterId to) const = 0;
  virtual void append_path(AdapterId from, AdapterId to, std::uint64_t path, std::vector<LinkId>& into) const = 0;
  /// The message rates that a message from one adapter to another uses on both; none if the network has no rate.
  virtual void append_message_rates(AdapterId from, AdapterId to, std::vector<LinkId>& into) const = 0;

  virtual const FabricRoutes& inside(NodeId node) const = 0;
  /// The links of the fabric from one element of a node to another; none if the fabric is not described.
  virtual void append_inside(NodeId node, std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const = 0;
  /// Whether the nodes share a switch of their fabrics; and the links over it.
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
  /// The vertices at the two ends of a NIC or a link between switches. Links are one-way; a cable is two links.
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

/// Routes of one network of a platform. Throws InputError if the topology does not hold the platform's adapters or if a
/// graph is not connected (with two nodes without a path); `where`, or the platform's file or name, begins the text.
std::unique_ptr<Routes> build_routes(const Platform& platform, const Network& network, const std::string& where = {});

}  // namespace orrery
