/// Code shared by the routes of every topology: adapters, and the inside of nodes. Private to platforms/.
#pragma once

#include <span>

#include "platforms/routes.hpp"

namespace orrery {

/// Locations of the adapters, by node and in the topology.
///
/// A place of the topology is an adapter's number, node by node. With `rail_leaves` and w places per leaf, w
/// consecutive nodes have their k-th adapters on one leaf. These nodes use as many leaves as their maximum number of
/// adapters, and the k-th leaf has only the nodes with a k-th adapter. Adapter k of node n has place (f + k) w + n mod
/// w, with f leaves before those of its w nodes.
class AdapterPlaces {
 public:
  AdapterPlaces(const Platform& platform, const Network& network);

  std::uint32_t nodes() const { return nodes_; }
  std::uint32_t joined() const { return joined_; }  ///< nodes with an adapter
  std::uint32_t adapters() const { return adapters_; }
  std::uint32_t first_of(std::uint32_t node) const;
  std::uint32_t node_of(std::uint32_t adapter) const;
  /// Number of the adapter's node among those with an adapter.
  std::uint32_t joined_of(std::uint32_t adapter) const;
  std::uint32_t place_of(std::uint32_t adapter) const;
  /// Highest place taken, plus one.
  std::uint64_t places() const;
  bool in_leaves() const { return leaf_ > 0; }  ///< rails have separate leaves
  bool one_each() const { return one_each_; }

 private:
  struct Type {
    std::uint32_t first_node = 0, first_joined = 0, first_adapter = 0, of_node = 1;
  };
  const Type& type_of(std::uint32_t adapter) const;
  void set_leaves(const std::vector<std::uint32_t>& node_counts);

  std::uint32_t nodes_ = 0, joined_ = 0, adapters_ = 0;
  std::uint32_t leaf_ = 0;  ///< places on a leaf, if rails have separate leaves; else 0
  bool one_each_ = true;
  std::vector<Type> types_;
  std::vector<std::uint32_t> first_leaf_;  ///< [blocks of leaf_ nodes + 1]
};

class SwitchedRoutes : public Routes {
 public:
  SwitchedRoutes(const Platform& platform, const Network& network);

  std::uint32_t nodes() const final { return places_.nodes(); }
  std::uint32_t adapters() const final { return places_.adapters(); }
  std::uint32_t links() const final { return first_inside() + inside_links_; }
  LinkId end_of_cables() const final { return LinkId{2 * places_.adapters() + switch_links()}; }
  LinkProperties parameters(LinkId id) const final;
  Link link(LinkId id) const final;
  AdapterId adapter(NodeId node, std::uint32_t number) const final;
  NodeId node_of(AdapterId adapter) const final;
  void add_shared(std::size_t first, std::vector<LinkId>& into) const final;
  bool is_shared(LinkId id) const final { return index(id) >= first_shared() && index(id) < first_rate(); }
  std::optional<LinkId> shared_by(LinkId id) const final;
  bool is_wire(LinkId id) const final {
    return id >= first_cable() && id < end_of_cables() && switch_link_is_wire(number_of_switch_link(id));
  }
  using Routes::append_route;
  void append_route(AdapterId from, AdapterId to, std::vector<LinkId>& into) const final;
  PathCounts paths(AdapterId from, AdapterId to) const final;
  void append_path(AdapterId from, AdapterId to, std::uint64_t path, std::vector<LinkId>& into) const final;
  void append_message_rates(AdapterId from, AdapterId to, std::vector<LinkId>& into) const final;
  const FabricRoutes& inside(NodeId node) const final { return fabrics_[type_of(index(node))].routes; }
  void append_inside(NodeId node, std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const final;
  bool share_fabric(NodeId a, NodeId b) const final;
  void append_over_fabric(NodeId from, std::uint32_t element, NodeId to, std::uint32_t other,
                          std::vector<LinkId>& into) const final;
  std::string words(LinkId id) const final;
  std::string words(LinkId id, const Platform& platform) const final;
  std::pair<std::uint32_t, std::uint32_t> ends(LinkId id) const final;

 protected:
  // For places of the topology, which are adapters.
  virtual std::uint32_t switch_links() const = 0;
  virtual std::uint32_t switch_of(std::uint32_t place) const = 0;
  /// Ends of the i-th link between switches, as switch numbers.
  virtual std::pair<std::uint32_t, std::uint32_t> switch_ends(std::uint32_t i) const = 0;
  /// The number of a link among the cables between its two ends, from 1, and the number of these cables.
  struct Cable {
    std::uint32_t number = 1, of = 1;
  };
  virtual Cable cable_of(std::uint32_t) const { return {}; }
  /// "uplink of", "global link from": the relation of a link to the switch where it begins.
  virtual std::string relation(std::uint32_t) const { return "link from"; }
  virtual ResourceKind switch_link_kind(std::uint32_t) const { return ResourceKind::link; }
  /// Links between the switches of two different places.
  virtual void append_switch_route(std::uint32_t from, std::uint32_t to, std::vector<LinkId>& into) const = 0;
  /// The numbers of routes; one if a topology has no choice.
  virtual PathCounts switch_paths(std::uint32_t, std::uint32_t) const { return {}; }
  virtual void append_switch_path(std::uint32_t from, std::uint32_t to, std::uint64_t,
                                  std::vector<LinkId>& into) const {
    append_switch_route(from, to, into);
  }
  virtual BytesPerSecond switch_link_bandwidth(std::uint32_t) const { return link_bandwidth_; }
  virtual Seconds switch_link_latency(std::uint32_t) const { return link_latency_; }
  virtual bool switch_link_alone(std::uint32_t) const { return false; }

  /// A resource that messages of all directions share between adapters: a medium, or a half-duplex link.
  struct SharedPart {
    LinkProperties parameters;
    std::uint32_t from = 0, to = 0;  ///< switches at the ends of a link; of a medium its own number twice
    std::string name, words;
  };
  virtual std::span<const SharedPart> shared_parts() const { return {}; }
  static constexpr std::uint32_t no_part = 0xffffffffu;
  virtual std::uint32_t part_of_link(std::uint32_t) const { return no_part; }  ///< shared by its two directions
  virtual bool switch_link_is_wire(std::uint32_t) const { return false; }
  /// Appends the numbers of the shared resources of a route that begins at this switch and continues over these links.
  virtual void append_parts(std::uint32_t /*at*/, std::span<const LinkId> /*links*/,
                            std::vector<std::uint32_t>& /*into*/) const {}
  std::uint32_t number_of_switch_link(LinkId id) const {
    return static_cast<std::uint32_t>(index(id)) - 2 * places_.adapters();
  }

  LinkId switch_link(std::uint64_t i) const {
    return LinkId{static_cast<std::uint32_t>(2 * std::uint64_t{places_.adapters()} + i)};
  }
  /// For topologies without leaves, whose places are adapters.
  std::uint32_t node_at(std::uint32_t place) const { return places_.node_of(place); }
  std::uint32_t joined_at(std::uint32_t place) const { return places_.joined_of(place); }

 private:
  struct Inside {  ///< of a node type
    FabricRoutes routes;
    std::uint32_t first_node, first_link;  ///< of the type's first node
  };
  std::size_t type_of(std::size_t node) const;
  std::uint32_t first_shared() const { return 2 * places_.adapters() + switch_links(); }
  std::uint32_t first_part() const { return first_shared() + (both_ways_ ? places_.adapters() : 0); }
  std::uint32_t first_rate() const { return first_part() + static_cast<std::uint32_t>(shared_parts().size()); }
  const Adapter& nic_of(std::uint32_t adapter) const { return nics_.empty() ? nic_ : nics_[places_.node_of(adapter)]; }
  LinkProperties parameters_of_shared(std::uint32_t id) const;
  std::uint32_t first_inside() const { return first_rate() + (rated_ ? 2 * places_.adapters() : 0); }
  LinkId inside_link(const Inside& type, std::size_t node, std::uint32_t link) const;
  struct InsideLink {
    std::uint32_t node = 0, link = 0;
    const Inside* type = nullptr;
  };
  InsideLink inside_link_of(std::uint32_t id) const;
  template <class NodeName>
  std::string words_of(LinkId id, const NodeName& node_name) const;

  AdapterPlaces places_;
  std::vector<Adapter> nics_;  ///< [nodes] if they differ
  Adapter nic_;                ///< otherwise; a NIC has half of the latency at each end
  BytesPerSecond link_bandwidth_;
  Seconds link_latency_;
  bool both_ways_;  ///< some adapter limits the sum of sending and receiving
  bool rated_;      ///< adapters have a message rate
  std::uint32_t inside_links_ = 0;
  std::vector<Inside> fabrics_;  ///< [node types]
};

std::unique_ptr<Routes> make_fat_tree_routes(const Platform& platform, const Network& network);
std::unique_ptr<Routes> make_torus_routes(const Platform& platform, const Network& network);
std::unique_ptr<Routes> make_dragonfly_routes(const Platform& platform, const Network& network);
std::unique_ptr<Routes> make_dragonfly_plus_routes(const Platform& platform, const Network& network);
/// Throws InputError that begins with `where` if two nodes have no path.
std::unique_ptr<Routes> make_graph_routes(const Platform& platform, const Network& network, const std::string& where);

}  // namespace orrery
