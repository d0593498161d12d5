#include "sim/replay/ways.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "sim/core/mixed.hpp"

namespace orrery::replay {

namespace {

constexpr Ways::Path without_limit{0.0, std::numeric_limits<double>::infinity()};

}  // namespace

Ways::Ways(const ReplayInput& input, const Routes& routes, Resources& resources, RouteTable& table)
    : platform_(*input.platform),
      network_(*input.network),
      routes_(routes),
      resources_(resources),
      table_(table),
      rated_(network_.adapters.message_rate > PerSecond{}) {
  seat_ranks(input);
  if (network_.routing.kind == Routing::Kind::adaptive) loads_.assign(index(routes.end_of_cables()), 0);
  if (network_.routing.kind == Routing::Kind::valiant) sent_.assign(seats_.size(), 0);
}

bool Ways::plain(const Platform& platform, const Network& network) {
  const auto described = [](const NodeType& type) { return type.fabric.described(); };
  return network.adapters.at.empty() && network.adapters.message_rate == PerSecond{} &&
         network.protocol.pair_bandwidth == BytesPerSecond{} && network.routing.kind == Routing::Kind::deterministic &&
         std::ranges::none_of(platform.node_types, described);
}

void Ways::seat_ranks(const ReplayInput& input) {
  std::map<HostId, std::uint32_t> on_host;
  std::map<std::vector<std::uint32_t>, std::uint32_t> orders;
  std::map<std::array<std::uint32_t, 3>, std::uint32_t> keys;
  for (const Placement& placement : input.layout->placements) {
    const FabricRoutes& inside = routes_.inside(placement.node);
    Seat seat{.node = placement.node, .gpu = placement.gpu};
    seat.described = inside.fabric().described();
    seat.element = placement.gpu ? inside.gpu(placement.socket_of_node) : placement.socket_of_node;
    seat.home = inside.home(seat.element);
    seat.leaves_from = placement.gpu && !network_.protocol.gpu_direct ? seat.home : seat.element;
    const std::uint32_t turn = placement.gpu ? placement.socket_of_node : on_host[placement.host]++;
    auto order = order_of(placement.node_type, seat.element, turn);
    const auto [known, fresh] = orders.try_emplace(std::move(order), static_cast<std::uint32_t>(orders_.size()));
    if (fresh) orders_.push_back(known->first);
    seat.order = known->second;
    // Two seats on one element whose adapters differ are two places.
    const std::array<std::uint32_t, 3> place{static_cast<std::uint32_t>(placement.node), seat.element, seat.order};
    seat.key = by_rank() ? static_cast<std::uint32_t>(seats_.size())
                         : keys.try_emplace(place, static_cast<std::uint32_t>(keys.size())).first->second;
    seats_.push_back(seat);
  }
}

std::vector<std::uint32_t> Ways::order_of(std::uint32_t type, std::uint32_t element, std::uint32_t turn) const {
  const Adapters& adapters = network_.adapters;
  if (adapters.at.empty()) return {0};
  const FabricRoutes& inside = routes_.inside(platform_.first_node_of(type));
  const auto& at = adapters.at[type];
  std::vector<std::uint32_t> order(at.size());
  for (std::uint32_t k = 0; k < order.size(); ++k) order[k] = k;
  const auto distance = [&](std::uint32_t k) { return inside.distance(element, at[k]); };
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return distance(a) < distance(b); });
  for (auto first = order.begin(); first != order.end();) {
    const auto last = std::find_if(first, order.end(), [&](std::uint32_t k) { return distance(*first) < distance(k); });
    std::rotate(first, first + turn % (last - first), last);
    first = last;
  }
  if (adapters.affinity.empty()) return order;
  const auto stated = adapters.affinity[type].find(element);
  if (stated == adapters.affinity[type].end()) return order;
  std::erase_if(order, [&](std::uint32_t k) { return std::ranges::find(stated->second, k) != stated->second.end(); });
  order.insert(order.begin(), stated->second.begin(), stated->second.end());
  return order;
}

std::uint64_t Ways::hash(std::uint64_t a, std::uint64_t b, std::uint64_t c) const {
  return mixed(mixed(mixed(mixed(network_.routing.seed) ^ a) ^ b) ^ c);
}

Medium Ways::medium(Rank from, Rank to) const {
  const Seat &a = seats_[index(from)], &b = seats_[index(to)];
  const bool same = a.node == b.node;
  if (a.gpu && b.gpu && a.described && (same || routes_.share_fabric(a.node, b.node)) &&
      platform_.node_types[platform_.type_of(a.node)].gpu_messages)
    return Medium::gpu_links;
  return same ? Medium::memory : Medium::network;
}

/// The numbers of the ways of one stripe: of its parts, or of its candidates; `deterministic` has none.
std::vector<std::uint64_t> Ways::choices(Rank from, Rank to, const Ends& ends, std::uint32_t stripe) const {
  using Kind = Routing::Kind;
  const Routing& routing = network_.routing;
  const PathCounts ways = routes_.paths(ends.from, ends.to);
  const std::uint64_t draw =
      by_rank() ? hash(index(from), index(to), stripe) : hash(index(ends.from), index(ends.to), 0x5eed);
  std::vector<std::uint64_t> chosen;
  const auto add_minimal = [&](std::uint64_t most) {
    for (std::uint64_t i = 0; i < std::min(most, ways.minimal); ++i) chosen.push_back((draw + i) % ways.minimal);
  };
  const auto add_detours = [&](std::uint64_t most) {
    for (std::uint64_t i = 0; i < most; ++i) chosen.push_back(ways.minimal + mixed(draw + i) % ways.detours);
  };
  if (routing.kind == Kind::hash) add_minimal(1);
  if (routing.kind == Kind::split) add_minimal(routing.paths);
  if (routing.kind == Kind::valiant && ways.detours > 0) add_detours(routing.paths);
  if (routing.kind == Kind::valiant && ways.detours == 0) add_minimal(routing.paths);
  if (routing.kind == Kind::adaptive) {
    add_minimal(ways.detours > 0 ? routing.paths / 2 : routing.paths);
    if (ways.detours > 0) add_detours(routing.paths - routing.paths / 2);
  }
  return chosen;
}

void Ways::add_route(const std::vector<LinkId>& links, Path& into, ResourceId connection) {
  scratch_.clear();
  double latency = 0.0;
  for (const LinkId id : links) {
    const LinkFigures link = routes_.figures(id);
    scratch_.push_back(Resources::link(id));
    latency += link.latency.si();
    if (link.kind != ResourceKind::message_rate) into.narrowest = std::min(into.narrowest, link.bandwidth.si());
  }
  into.latency = std::max(into.latency, latency);
  if (connection != no_resource) {
    scratch_.push_back(connection);
    into.narrowest = std::min(into.narrowest, resources_.capacity(connection));
  }
  const RouteId route = table_.add(scratch_);
  kinds_.resize(table_.count());
  kinds_[static_cast<std::uint32_t>(route)] = resources_.kinds_of(scratch_);
}

void Ways::add_wire(const Seat& from, const Seat& to, const Ends& ends, std::uint64_t path, ResourceId connection,
                    Path& into) {
  const auto element_of = [&](const Seat& seat, AdapterId adapter) {
    const auto number = index(adapter) - index(routes_.adapter(seat.node, 0));
    const auto& at = network_.adapters.at;
    return at.empty() ? 0u : at[platform_.type_of(seat.node)][number];
  };
  links_.clear();
  routes_.append_inside(from.node, from.leaves_from, element_of(from, ends.from), links_);
  if (network_.routing.kind == Routing::Kind::deterministic)
    routes_.append_route(ends.from, ends.to, links_);
  else
    routes_.append_path(ends.from, ends.to, path, links_);
  routes_.append_inside(to.node, element_of(to, ends.to), to.leaves_from, links_);
  add_route(links_, into, connection);
}

Ways::Way Ways::network_way(Rank from, Rank to, std::uint32_t stripes, ResourceId connection) {
  const Seat &a = seats_[index(from)], &b = seats_[index(to)];
  const auto ends = [&](std::uint32_t stripe) {
    const auto &first = orders_[a.order], &second = orders_[b.order];
    return Ends{routes_.adapter(a.node, first[stripe % first.size()]),
                routes_.adapter(b.node, second[stripe % second.size()])};
  };
  std::vector<std::vector<std::uint64_t>> chosen;
  std::size_t most = 1;
  for (std::uint32_t stripe = 0; stripe < stripes; ++stripe) {
    chosen.push_back(choices(from, to, ends(stripe), stripe));
    if (chosen.back().empty()) chosen.back().push_back(0);
    most = std::max(most, chosen.back().size());
  }
  const bool split = network_.routing.kind == Routing::Kind::split;
  const std::size_t candidates = split ? 1 : most, ways = split ? most : 1;
  Way way{.first = RouteId{table_.count()},
          .first_path = static_cast<std::uint32_t>(paths_.size()),
          .parts = static_cast<std::uint8_t>(stripes * ways),
          .candidates = static_cast<std::uint8_t>(candidates)};
  for (std::size_t c = 0; c < candidates; ++c) {
    Path path = without_limit, ignored = without_limit;
    for (std::uint32_t stripe = 0; stripe < stripes; ++stripe)
      for (std::size_t i = 0; i < ways; ++i) {
        const auto& of = chosen[stripe];
        add_wire(a, b, ends(stripe), of[(split ? i : c) % of.size()], connection, path);
      }
    for (std::uint32_t part = 0; rated_ && part < way.parts; ++part) {
      const Ends of = ends(part / static_cast<std::uint32_t>(ways));
      links_.clear();
      routes_.append_message_rates(of.from, of.to, links_);
      add_route(links_, ignored);
    }
    paths_.push_back(path);
  }
  return way;
}

Ways::Way Ways::network(Rank from, Rank to, Bytes m) {
  const bool striped = network_.adapters.stripe_over > 1 && m >= network_.adapters.stripe_from;
  if (network_.protocol.pair_limited(m)) {
    const auto [way, fresh] =
        of_pairs_[striped ? 1 : 0].find_or_add(static_cast<std::uint32_t>(from), static_cast<std::uint32_t>(to));
    if (fresh)
      way = network_way(from, to, striped ? network_.adapters.stripe_over : 1, resources_.connection(from, to));
    return way;
  }
  const auto [way, fresh] = (striped ? striped_ : wires_).find_or_add(seats_[index(from)].key, seats_[index(to)].key);
  if (fresh) way = network_way(from, to, striped ? network_.adapters.stripe_over : 1);
  return way;
}

Ways::Way Ways::single(const std::vector<LinkId>& links, std::vector<ResourceId> before) {
  if (links.empty()) return {};
  Way way{.first = RouteId{table_.count()}, .first_path = static_cast<std::uint32_t>(paths_.size()), .parts = 1};
  Path path = without_limit;
  for (const ResourceId id : before) path.narrowest = std::min(path.narrowest, resources_.capacity(id));
  for (const LinkId id : links) {
    const LinkFigures link = routes_.figures(id);
    before.push_back(Resources::link(id));
    path.latency += link.latency.si();
    path.narrowest = std::min(path.narrowest, link.bandwidth.si());
  }
  table_.add(before);
  kinds_.resize(table_.count());
  kinds_.back() = resources_.kinds_of(before);
  paths_.push_back(path);
  return way;
}

void Ways::append_gpu_links(Rank from, Rank to) {
  const Seat &a = seats_[index(from)], &b = seats_[index(to)];
  if (a.node == b.node)
    routes_.append_inside(a.node, a.element, b.element, links_);
  else
    routes_.append_over_fabric(a.node, a.element, b.node, b.element, links_);
}

Ways::Way Ways::over_gpu_links(Rank from, Rank to) {
  const auto [way, fresh] = over_gpus_.find_or_add(seats_[index(from)].key, seats_[index(to)].key);
  if (!fresh) return way;
  links_.clear();
  append_gpu_links(from, to);
  return way = single(links_);
}

Ways::Way Ways::in_switch(const std::vector<Rank>& team, Rank root, bool reduces) {
  const auto [at, fresh] = in_switch_.try_emplace({(std::uint64_t{index(root)} << 1) | (reduces ? 1 : 0), team});
  if (!fresh) return at->second;
  std::vector<LinkId> links;
  const auto add = [&](Rank member, bool up) {  // one link of a way to any other
    const Rank other = member == team.front() ? team.back() : team.front();
    links_.clear();
    append_gpu_links(up ? member : other, up ? other : member);
    links.push_back(up ? links_.front() : links_.back());
  };
  for (const Rank member : team) add(member, reduces);
  add(root, !reduces);
  return at->second = single(links);
}

Ways::Way Ways::copy_between_sockets(Rank copier, Rank other, bool to_copier) {
  const Seat &mine = seats_[index(copier)], &its = seats_[index(other)];
  if (mine.home == its.home || !mine.described) return {};
  const std::uint64_t key = (std::uint64_t{index(copier)} << 16) | (std::uint64_t{its.home} << 1) | (to_copier ? 1 : 0);
  const auto [at, fresh] = crossings_.try_emplace(key);
  if (!fresh) return at->second;
  links_.clear();
  routes_.append_inside(mine.node, to_copier ? its.home : mine.home, to_copier ? mine.home : its.home, links_);
  return at->second = single(links_, {resources_.copy(copier), resources_.memory(mine.node)});
}

Ways::Way Ways::staging(Rank rank, bool to_gpu) {
  const Seat& seat = seats_[index(rank)];
  if (!seat.gpu || !seat.described) return {};
  const auto [at, fresh] = stagings_.try_emplace((std::uint64_t{index(rank)} << 1) | (to_gpu ? 1 : 0));
  if (!fresh) return at->second;
  links_.clear();
  routes_.append_inside(seat.node, to_gpu ? seat.home : seat.element, to_gpu ? seat.element : seat.home, links_);
  return at->second = single(links_);
}

std::uint32_t Ways::drawn(const Way& way, Rank from, Rank to) {
  if (way.candidates < 2 || sent_.empty()) return 0;
  return static_cast<std::uint32_t>(hash(index(from), index(to), ++sent_[index(from)]) % way.candidates);
}

std::uint32_t Ways::least_loaded(const Way& way) const {
  std::uint32_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t c = 0; c < way.candidates; ++c) {
    double worst = 0.0;
    std::size_t hops = 0;
    for (std::uint32_t part = 0; part < way.parts; ++part) {
      std::size_t cables = 0;
      for (const ResourceId id : table_.resources(RouteId{static_cast<std::uint32_t>(route(way, c)) + part})) {
        const LinkId link{static_cast<std::uint32_t>(id)};
        if (link < routes_.first_cable() || link >= routes_.end_of_cables()) continue;
        ++cables;
        worst = std::max(worst, loads_[index(link)] / routes_.figures(link).bandwidth.si());
      }
      hops = std::max(hops, cables);
    }
    const double cost = worst * static_cast<double>(hops);
    if (cost >= least) continue;
    least = cost;
    best = c;
  }
  return best;
}

void Ways::count(RouteId route, int messages) {
  if (loads_.empty()) return;
  for (const ResourceId id : table_.resources(route)) {
    const LinkId link{static_cast<std::uint32_t>(id)};
    if (link >= routes_.first_cable() && link < routes_.end_of_cables())
      loads_[index(link)] += static_cast<std::uint32_t>(messages);
  }
}

}  // namespace orrery::replay
