/// The routes of messages in clusters that have more than one adapter per node and one route between two nodes: several
/// adapters, a fabric inside nodes, message rates, limited pairs of ranks, a choice of routes.
///
///   where a rank is      the socket or GPU of its node (its element); its messages over the network leave from there
///                        if they go straight to the adapter, else, staged, from the socket of the GPU
///   its adapters         as `affinity` says, else by distance from where its messages leave; ranks of one socket (by
///                        their order there) and GPUs (by their number) take equally near ones in turn
///   a way                for each part of a message: the fabric to the adapter, the network, the fabric of the
///                        receiver
///   parts                `stripe_over` of a message that is striped, times `paths` where it is split
///   candidates           the routes that valiant and adaptive routing choose from, each made when it is first used
///
///   load of a candidate  hops * max over its links between switches of messages in flight / bandwidth; the least is
///                        taken, the first of equals: minimal ways come first
///
/// Randomized choices are hashes of the seed with the two ranks (hash, split), the two places (valiant, adaptive:
/// candidates) and the sender's message count (valiant): the same in every engine.
///
/// Source   Valiant & Brebner, STOC 1981; Singh, Load-balanced routing in interconnection networks, PhD thesis,
///          Stanford 2005 (UGAL); Hopps, RFC 2992 (ECMP)
/// Checked  tests/replay/adapters_test.cpp, fabric_test.cpp, routing_test.cpp
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <map>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "sim/engine/pair_map.hpp"
#include "sim/engine/resources.hpp"
#include "sim/engine/route_table.hpp"
#include "sim/engine/wire_path.hpp"

namespace orrery::engine {

/// The medium of a message.
enum class Medium : std::uint8_t { memory, network, gpu_links, in_switches };

class MessageRoutes {
 public:
  /// Consecutive routes of the table: the parts, then the message rates of each. If there are several candidates, these
  /// are the routes of the first.
  struct Route {
    RouteId first = no_route;
    std::uint32_t path = 0;
    std::uint32_t choice = 0;  ///< index of the candidates, if there are several
    std::uint8_t parts = 0, candidates = 1, stripes = 1;
  };
  using Path = WirePath;

  MessageRoutes(const ReplayInput& input, const Routes& routes, Resources& resources, RouteTable& table);
  /// Whether there are no choices and no fabric: `Protocol` then uses a faster code path.
  static bool plain(const Platform& platform, const Network& network);

  Medium medium(Rank from, Rank to) const {
    const Location &a = places_[index(from)], &b = places_[index(to)];
    if (a.gpus == b.gpus && a.gpus != Location::no_gpu) return Medium::gpu_links;
    return a.node == b.node ? Medium::memory : Medium::network;
  }
  Route network(Rank from, Rank to, Bytes m);
  Route over_gpu_links(Rank from, Rank to);
  /// The links that the switch uses at the same time: from each GPU of the team and to `root` if it reduces, from
  /// `root` and to each GPU if it multicasts.
  Route in_switch(std::span<const Rank> team, Rank root, bool reduces);
  /// From one member of a communicator to its root (`reduces`), or from the root to one (multicast), if switches of the
  /// network do that. Each link of the tree is in the route of one member only, the first to use it.
  Route aggregated(Communicator of, Rank from, Rank to, bool reduces);
  bool by_gpus(Rank from, Rank to) const {
    const RankState &a = rank_states_[index(from)], &b = rank_states_[index(to)];
    return a.gpu && b.gpu && a.described && b.described;
  }
  /// A copy by `copier` that moves data to it (or from it) from (or to) the other's socket; no parts within one socket.
  Route copy_between_sockets(Rank copier, Rank other, bool to_copier);
  /// Between a GPU and its socket; no parts for ranks elsewhere and for nodes without a described fabric.
  Route staging(Rank rank, bool to_gpu);
  bool described(Rank rank) const { return rank_states_[index(rank)].described; }

  const Path& path(const Route& way) const { return paths_[way.path]; }
  /// One of its candidates, as a route of its own.
  Route candidate(const Route& way, std::uint32_t number, Rank from, Rank to);
  /// The candidate for the sender's next message (valiant).
  std::uint32_t drawn(const Route& way, Rank from, Rank to);
  /// The candidate that begins with this route.
  std::uint32_t candidate_of(const Route& way, RouteId first) const {
    std::uint32_t number = 0;
    while (number + 1u < way.candidates && choices_[way.choice + number].first != first) ++number;
    return number;
  }
  /// The least loaded candidate (adaptive).
  std::uint32_t least_loaded(const Route& way) const;
  void count(RouteId route, int messages);  ///< that begin or end to use its links

  /// Prefetches: the route between these ranks will soon be requested.
  void fetch_way(Rank from, Rank to) const {
    const std::uint32_t a = rank_states_[index(from)].key, b = rank_states_[index(to)].key;
    (medium(from, to) == Medium::gpu_links ? over_gpus_ : wires_).fetch_pair(a, b);
  }
  /// Number of place pairs with routes; `forget_unused` removes pairs without a route in use, and reports each route.
  std::size_t pairs() const { return wires_.size() + over_gpus_.size(); }
  template <class InUse, class Notify>
  void forget_unused(const InUse& in_use, const Notify& notify);

 private:
  struct RankState {
    NodeId node{};
    std::uint32_t element = 0, leaves_from = 0, home = 0;
    std::uint32_t order = 0;  ///< of `orders_`
    std::uint32_t key = 0;    ///< equal for ranks whose messages have equal routes
    bool gpu = false, described = false;
  };
  /// Location of a rank: determines the routes of its messages.
  struct Location {
    static constexpr std::uint32_t no_gpu = 0xffffffffu;
    NodeId node{};
    std::uint32_t gpus = no_gpu;  ///< first of the nodes whose fabric joins its GPU to others
  };
  struct Ends {
    AdapterId from, to;
  };
  /// One of several candidates. With more than one part, the lists of cables lie elsewhere, one after another.
  struct Choice {
    RouteId first = no_route;  ///< no_route: it was never taken
    std::uint32_t path = 0;
    std::uint32_t cables = 0;
  };
  struct Cable {
    double bandwidth;
    std::uint32_t messages = 0;  ///< in flight
  };
  struct CableList {
    std::uint32_t begin = 0, count = 0;
  };
  struct SwitchPair {
    std::uint32_t number = 0, first_list = 0, minimal = 0;
  };
  void place_ranks(const ReplayInput& input);
  std::vector<std::uint32_t> order_of(std::uint32_t type, std::uint32_t element, std::uint32_t turn) const;
  void leave_dead_adapters_out(std::vector<std::uint32_t>& order, NodeId node) const;
  std::uint32_t block(const Route& way) const { return way.parts * (rated_ ? 2u : 1u); }
  // network_way and its helpers (message_routes_choices.cpp); `connection`: of a limited pair of ranks, which then has
  // its own route
  Route network_way(Rank from, Rank to, std::uint32_t stripes, ResourceId connection = no_resource);
  std::uint32_t ways_of_stripes(Rank from, Rank to, std::uint32_t stripes);
  void make_routes(Route& way, Rank from, Rank to, std::uint32_t candidate, ResourceId connection);
  Ends ends(Rank from, Rank to, std::uint32_t stripe) const;
  void choices(Rank from, Rank to, const Ends& ends, std::uint32_t stripe, std::vector<std::uint64_t>& chosen) const;
  void note_cables(const Route& way, Rank from, Rank to);
  std::uint32_t cable_list(const Ends& ends, std::uint64_t path);
  std::uint32_t new_cable_list(const Ends& ends, std::uint64_t path);
  bool is_cable(ResourceId id) const {
    return static_cast<std::uint32_t>(id) - first_cable_ < cables_.size();  // modulo 2^32
  }
  std::uint32_t number_of(const Path& path);
  void append_wire(Rank from, Rank to, std::uint32_t stripe, std::uint64_t path);
  /// `alone`: its number need not follow the number of the route before.
  RouteId add_route(const std::vector<LinkId>& links, Path& into, ResourceId connection, bool alone);
  void append_gpu_links(Rank from, Rank to);
  bool one_switch_joins(std::span<const Rank> team) const;
  Route single(const std::vector<LinkId>& links, std::vector<ResourceId> before = {});
  std::uint64_t hash(std::uint64_t a, std::uint64_t b, std::uint64_t c) const;
  bool by_rank() const {
    return network_.routing.kind == Routing::Kind::hash || network_.routing.kind == Routing::Kind::split;
  }

  const Platform& platform_;
  const Network& network_;
  const Routes& routes_;
  Resources& resources_;
  RouteTable& table_;
  bool rated_;
  std::vector<Location> places_;        ///< [ranks]
  std::vector<RankState> rank_states_;  ///< [ranks]
  std::vector<std::vector<std::uint32_t>> orders_;
  PairMap<Route> wires_, striped_, over_gpus_;           ///< by keys of ranks
  std::array<PairMap<Route>, 2> of_pairs_;               ///< by ranks, where pairs are limited: whole, striped
  std::map<std::uint64_t, Route> crossings_, stagings_;  ///< by rank and other properties
  std::map<std::pair<std::uint64_t, std::vector<Rank>>, Route> in_switch_;  ///< by rank and operation, and team
  struct Tree {
    std::set<LinkId> links;      ///< links in the route of a member
    std::map<Rank, Route> ways;  ///< of each member, its route
  };
  std::map<std::pair<std::uint32_t, std::uint64_t>, Tree> trees_;  ///< by communicator, root and direction
  std::vector<Path> paths_;                                        ///< each stored once
  std::map<Path, std::uint32_t> path_numbers_;
  std::vector<Choice> choices_;
  std::uint32_t first_cable_ = 0;
  std::vector<Cable> cables_;  ///< those between switches (adaptive)
  // Candidates differ only in their cables, which are the same for all adapters of two switches.
  PairMap<SwitchPair> switch_pairs_;
  std::vector<std::uint32_t> switch_of_;  ///< [adapters]
  PairMap<std::uint32_t> other_lists_;    ///< of detours: by number of the pair of switches and of the path
  std::vector<CableList> cable_lists_;
  std::vector<std::uint32_t> cables_of_lists_, lists_of_parts_;
  std::vector<std::uint32_t> sent_;                 ///< [ranks] messages (valiant)
  std::vector<std::vector<std::uint64_t>> chosen_;  ///< scratch, [stripes]
  std::vector<LinkId> cable_links_;                 ///< scratch
  std::vector<LinkId> links_;                       ///< scratch
  std::vector<ResourceId> scratch_;
};

template <class InUse, class Notify>
void MessageRoutes::forget_unused(const InUse& in_use, const Notify& notify) {
  std::vector<Choice> kept;
  const auto keep = [&](Route& way) {
    if (way.parts == 0) return true;
    if (way.candidates == 1) {
      if (block(way) > 1 || in_use(way.first)) return true;
      notify(way.first);
      return false;
    }
    const std::span<const Choice> all{choices_.data() + way.choice, way.candidates};
    const auto taken = [](const Choice& choice) { return choice.first != no_route; };
    if (block(way) > 1 || std::ranges::any_of(all, [&](const Choice& c) { return taken(c) && in_use(c.first); })) {
      way.choice = static_cast<std::uint32_t>(kept.size());
      kept.insert(kept.end(), all.begin(), all.end());
      return true;
    }
    for (const Choice& choice : all)
      if (taken(choice)) notify(choice.first);
    return false;
  };
  wires_.keep_if(keep);
  over_gpus_.keep_if(keep);
  for (PairMap<Route>* others : {&striped_, &of_pairs_[0], &of_pairs_[1]})
    others->keep_if([&](Route& way) {
      if (way.candidates == 1) return true;
      const auto first = choices_.begin() + way.choice;
      way.choice = static_cast<std::uint32_t>(kept.size());
      kept.insert(kept.end(), first, first + way.candidates);
      return true;
    });
  choices_ = std::move(kept);
}

}  // namespace orrery::engine
