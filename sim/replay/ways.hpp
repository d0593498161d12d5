/// The routes of messages where a cluster is more than nodes with one adapter and one way between two: several
/// adapters, a fabric inside the nodes, message rates, limited pairs of ranks, a choice of ways.
///
///   where a rank is      the socket or GPU of its node (its element); its messages over the network leave from there
///   if
///                        they go straight to the adapter, else, staged, from the socket of the GPU
///   its adapters         as `affinity` says, else by distance from where its messages leave; ranks of one socket (by
///                        their order there) and GPUs (by their number) take equally near ones in turn
///   a way                for each part of a message: the fabric to the adapter, the network, the fabric of the
///   receiver parts                `stripe_over` of a message that is striped, times `paths` where it is split
///   candidates           the ways of which valiant and adaptive routing take one: as many routes for each part
///
///   load of a candidate  hops * max over its links between switches of messages under way / bandwidth; the least is
///                        taken, the first of equals: minimal ways come first
///
/// Draws are hashes of the seed with the two ranks (hash, split), the two places (valiant, adaptive: candidates) and
/// the sender's messages so far (valiant): the same in every engine.
///
/// Source   Valiant & Brebner, STOC 1981; Singh, Load-balanced routing in interconnection networks, PhD thesis,
/// Stanford
///          2005 (UGAL); Hopps, RFC 2992 (ECMP)
/// Checked  tests/replay/adapters_test.cpp, fabric_test.cpp, routing_test.cpp
#pragma once

#include <array>
#include <map>
#include <vector>

#include "sim/replay/pair_map.hpp"
#include "sim/replay/resources.hpp"
#include "sim/replay/route_table.hpp"

namespace orrery::replay {

/// What a message travels over.
enum class Medium : std::uint8_t { memory, network, gpu_links, nvswitch };

class Ways {
 public:
  /// Routes of one block (parts, then the message rates of each) for each candidate, one after another in the table.
  struct Way {
    RouteId first = no_route;
    std::uint32_t first_path = 0;  ///< of the candidates
    std::uint8_t parts = 0, candidates = 1;
  };
  struct Path {
    double latency = 0.0, narrowest = 0.0;
  };

  Ways(const ReplayInput& input, const Routes& routes, Resources& resources, RouteTable& table);
  /// Whether there is nothing to choose and nothing inside: `Protocol` has a shorter way then.
  static bool plain(const Platform& platform, const Network& network);

  Medium medium(Rank from, Rank to) const;
  Way network(Rank from, Rank to, Bytes m);
  Way over_gpu_links(Rank from, Rank to);
  /// The links that the switch uses at once: from each GPU of the team and to `root` where it reduces, from `root` and
  /// to each where it multicasts.
  Way in_switch(const std::vector<Rank>& team, Rank root, bool reduces);
  bool by_gpus(Rank from, Rank to) const {
    const Seat &a = seats_[index(from)], &b = seats_[index(to)];
    return a.gpu && b.gpu && a.described && b.described;
  }
  /// A copy by `copier` that moves data to it (or from it) from (or to) the other's socket; no parts on one socket.
  Way copy_between_sockets(Rank copier, Rank other, bool to_copier);
  /// Between a GPU and its socket; no parts for ranks elsewhere and nodes whose fabric is not described.
  Way staging(Rank rank, bool to_gpu);
  bool described(Rank rank) const { return seats_[index(rank)].described; }

  const Path& path(const Way& way, std::uint32_t candidate = 0) const { return paths_[way.first_path + candidate]; }
  RouteId route(const Way& way, std::uint32_t candidate) const {
    return RouteId{static_cast<std::uint32_t>(way.first) + candidate * block(way)};
  }
  KindsId kinds(RouteId route) const { return kinds_[static_cast<std::uint32_t>(route)]; }
  /// The candidate of the sender's next message (valiant).
  std::uint32_t drawn(const Way& way, Rank from, Rank to);
  /// The least loaded (adaptive).
  std::uint32_t least_loaded(const Way& way) const;
  void count(RouteId route, int messages);  ///< begin or end to use its links

 private:
  struct Seat {
    NodeId node{};
    std::uint32_t element = 0, leaves_from = 0, home = 0;
    std::uint32_t order = 0;  ///< of `orders_`
    std::uint32_t key = 0;    ///< equal for ranks whose messages have equal ways
    bool gpu = false, described = false;
  };
  struct Ends {
    AdapterId from, to;
  };
  void seat_ranks(const ReplayInput& input);
  std::vector<std::uint32_t> order_of(std::uint32_t type, std::uint32_t element, std::uint32_t turn) const;
  std::uint32_t block(const Way& way) const { return way.parts * (rated_ ? 2u : 1u); }
  /// `connection`: of a pair of ranks that is limited; the way is theirs alone then.
  Way network_way(Rank from, Rank to, std::uint32_t stripes, ResourceId connection = no_resource);
  std::vector<std::uint64_t> choices(Rank from, Rank to, const Ends& ends, std::uint32_t stripe) const;
  void add_wire(const Seat& from, const Seat& to, const Ends& ends, std::uint64_t path, ResourceId connection,
                Path& into);
  void add_route(const std::vector<LinkId>& links, Path& into, ResourceId connection = no_resource);
  void append_gpu_links(Rank from, Rank to);
  Way single(const std::vector<LinkId>& links, std::vector<ResourceId> before = {});
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
  std::vector<Seat> seats_;  ///< [ranks]
  std::vector<std::vector<std::uint32_t>> orders_;
  PairMap<Way> wires_, striped_, over_gpus_;           ///< by keys of seats
  std::array<PairMap<Way>, 2> of_pairs_;               ///< by ranks, where pairs are limited: whole, striped
  std::map<std::uint64_t, Way> crossings_, stagings_;  ///< by rank and what else matters
  std::map<std::pair<std::uint64_t, std::vector<Rank>>, Way> in_switch_;  ///< by rank and operation, and team
  std::vector<Path> paths_;
  std::vector<KindsId> kinds_;        ///< [routes]
  std::vector<std::uint32_t> loads_;  ///< [links] messages under way (adaptive)
  std::vector<std::uint32_t> sent_;   ///< [ranks] messages (valiant)
  std::vector<LinkId> links_;         ///< scratch
  std::vector<ResourceId> scratch_;
};

}  // namespace orrery::replay
