// Ways over the network that there are several of: which there are for two places, and which of them a message takes.
//
//   a way of several candidates   its `Choice`s; the routes of all but the first are made when they are first taken
//   what candidates differ in     their cables between switches, kept once for each two switches: the least loaded is
//                                 found without any route
#include <algorithm>
#include <limits>

#include "sim/core/mixed.hpp"
#include "sim/engine/message_routes.hpp"

namespace orrery::engine {

namespace {

constexpr std::uint64_t minimal_kept_together = 64;  // ways between two switches; more are kept one by one
}  // namespace

std::uint64_t MessageRoutes::hash(std::uint64_t a, std::uint64_t b, std::uint64_t c) const {
  return mixed(mixed(mixed(mixed(network_.routing.seed) ^ a) ^ b) ^ c);
}

MessageRoutes::Ends MessageRoutes::ends(Rank from, Rank to, std::uint32_t stripe) const {
  const RankState &a = rank_states_[index(from)], &b = rank_states_[index(to)];
  const auto &first = orders_[a.order], &second = orders_[b.order];
  return {routes_.adapter(a.node, first[stripe % first.size()]),
          routes_.adapter(b.node, second[stripe % second.size()])};
}

/// The numbers of the ways of one stripe: of its parts, or of its candidates; `deterministic` has none.
void MessageRoutes::choices(Rank from, Rank to, const Ends& ends, std::uint32_t stripe,
                            std::vector<std::uint64_t>& chosen) const {
  using Kind = Routing::Kind;
  const Routing& routing = network_.routing;
  const PathCounts ways = routes_.paths(ends.from, ends.to);
  const std::uint64_t draw =
      by_rank() ? hash(index(from), index(to), stripe) : hash(index(ends.from), index(ends.to), 0x5eed);
  const auto add_minimal = [&](std::uint64_t most) {
    for (std::uint64_t i = 0; i < std::min(most, ways.minimal); ++i) chosen.push_back((draw + i) % ways.minimal);
  };
  const auto add_detours = [&](std::uint64_t most) {
    for (std::uint64_t i = 0; i < most; ++i) chosen.push_back(ways.minimal + mixed(draw + i) % ways.detours);
  };
  chosen.clear();
  if (routing.kind == Kind::hash) add_minimal(1);
  if (routing.kind == Kind::split) add_minimal(routing.paths);
  if (routing.kind == Kind::valiant && ways.detours > 0) add_detours(routing.paths);
  if (routing.kind == Kind::valiant && ways.detours == 0) add_minimal(routing.paths);
  if (routing.kind == Kind::adaptive) {
    add_minimal(ways.detours > 0 ? routing.paths / 2 : routing.paths);
    if (ways.detours > 0) add_detours(routing.paths - routing.paths / 2);
  }
  if (chosen.empty()) chosen.push_back(0);
}

/// All choices of all stripes, in `chosen_`; returns the most that one has.
std::uint32_t MessageRoutes::ways_of_stripes(Rank from, Rank to, std::uint32_t stripes) {
  if (chosen_.size() < stripes) chosen_.resize(stripes);
  std::size_t most = 1;
  for (std::uint32_t stripe = 0; stripe < stripes; ++stripe) {
    choices(from, to, ends(from, to, stripe), stripe, chosen_[stripe]);
    most = std::max(most, chosen_[stripe].size());
  }
  return static_cast<std::uint32_t>(most);
}

/// Of one candidate; the choices are in `chosen_`.
void MessageRoutes::make_routes(Route& way, Rank from, Rank to, std::uint32_t candidate, ResourceId connection) {
  const bool split = network_.routing.kind == Routing::Kind::split;
  const std::uint32_t parts_of_stripe = split ? static_cast<std::uint32_t>(way.parts / way.stripes) : 1;
  Path path, ignored;
  way.first = no_route;
  const auto add = [&](ResourceId beside, Path& into) {
    const RouteId route = add_route(links_, into, beside, block(way) == 1);
    if (way.first == no_route) way.first = route;
  };
  for (std::uint32_t stripe = 0; stripe < way.stripes; ++stripe)
    for (std::uint32_t i = 0; i < parts_of_stripe; ++i) {
      const auto& of = chosen_[stripe];
      append_wire(from, to, stripe, of[(split ? i : candidate) % of.size()]);
      add(connection, path);
    }
  for (std::uint32_t part = 0; rated_ && part < way.parts; ++part) {
    const Ends of = ends(from, to, part / parts_of_stripe);
    links_.clear();
    routes_.append_message_rates(of.from, of.to, links_);
    add(no_resource, ignored);
  }
  way.path = number_of(path);
}

/// The links of one part, in `links_`.
void MessageRoutes::append_wire(Rank from, Rank to, std::uint32_t stripe, std::uint64_t path) {
  const RankState &a = rank_states_[index(from)], &b = rank_states_[index(to)];
  const Ends of = ends(from, to, stripe);
  const auto element_of = [&](const RankState& of_rank, AdapterId adapter) {
    const auto& at = network_.adapters.at;
    if (at.empty()) return 0u;
    return at[platform_.type_of(of_rank.node)][index(adapter) - index(routes_.adapter(of_rank.node, 0))];
  };
  links_.clear();
  routes_.append_inside(a.node, a.leaves_from, element_of(a, of.from), links_);
  if (network_.routing.kind == Routing::Kind::deterministic)
    routes_.append_route(of.from, of.to, links_);
  else
    routes_.append_path(of.from, of.to, path, links_);
  routes_.append_inside(b.node, element_of(b, of.to), b.leaves_from, links_);
}

MessageRoutes::Route MessageRoutes::network_way(Rank from, Rank to, std::uint32_t stripes, ResourceId connection) {
  const std::uint32_t most = ways_of_stripes(from, to, stripes);
  const bool split = network_.routing.kind == Routing::Kind::split;
  Route way{.parts = static_cast<std::uint8_t>(stripes * (split ? most : 1)),
            .candidates = static_cast<std::uint8_t>(split ? 1 : most),
            .stripes = static_cast<std::uint8_t>(stripes)};
  make_routes(way, from, to, 0, connection);
  if (way.candidates == 1) return way;
  way.choice = static_cast<std::uint32_t>(choices_.size());
  choices_.resize(choices_.size() + way.candidates);
  choices_[way.choice].first = way.first;
  choices_[way.choice].path = way.path;
  if (!cables_.empty()) note_cables(way, from, to);
  if (connection == no_resource) return way;
  for (std::uint32_t c = 1; c < way.candidates; ++c) {  // whose connection it is nobody will tell later
    Route other = way;
    make_routes(other, from, to, c, connection);
    choices_[way.choice + c].first = other.first;
    choices_[way.choice + c].path = other.path;
  }
  return way;
}

MessageRoutes::Route MessageRoutes::candidate(const Route& way, std::uint32_t number, Rank from, Rank to) {
  if (way.candidates == 1) return way;
  Route taken = way;
  taken.candidates = 1;
  if (choices_[way.choice + number].first == no_route) {
    ways_of_stripes(from, to, way.stripes);
    make_routes(taken, from, to, number, no_resource);
    choices_[way.choice + number].first = taken.first;
    choices_[way.choice + number].path = taken.path;
  }
  taken.first = choices_[way.choice + number].first;
  taken.path = choices_[way.choice + number].path;
  return taken;
}

void MessageRoutes::note_cables(const Route& way, Rank from, Rank to) {
  for (std::uint32_t c = 0; c < way.candidates; ++c) {
    if (way.parts > 1) choices_[way.choice + c].cables = static_cast<std::uint32_t>(lists_of_parts_.size());
    for (std::uint32_t stripe = 0; stripe < way.stripes; ++stripe) {
      const auto& of = chosen_[stripe];
      const std::uint32_t list = cable_list(ends(from, to, stripe), of[c % of.size()]);
      if (way.parts > 1)
        lists_of_parts_.push_back(list);
      else
        choices_[way.choice + c].cables = list;
    }
  }
}

/// The cables of a way between two adapters, which are those of all adapters at the same switches.
std::uint32_t MessageRoutes::cable_list(const Ends& ends, std::uint64_t path) {
  const auto [pair, fresh] = switch_pairs_.find_or_add(switch_of_[index(ends.from)], switch_of_[index(ends.to)]);
  if (fresh) {
    pair = {static_cast<std::uint32_t>(switch_pairs_.size()), static_cast<std::uint32_t>(cable_lists_.size()), 0};
    const std::uint64_t minimal = routes_.paths(ends.from, ends.to).minimal;
    if (minimal <= minimal_kept_together) pair.minimal = static_cast<std::uint32_t>(minimal);
    for (std::uint64_t way = 0; way < pair.minimal; ++way) new_cable_list(ends, way);
  }
  if (path < pair.minimal) return pair.first_list + static_cast<std::uint32_t>(path);
  if (path >= std::numeric_limits<std::uint32_t>::max()) return new_cable_list(ends, path);
  const auto [list, is_new] = other_lists_.find_or_add(pair.number, static_cast<std::uint32_t>(path));
  if (is_new) list = new_cable_list(ends, path);
  return list;
}

std::uint32_t MessageRoutes::new_cable_list(const Ends& ends, std::uint64_t path) {
  CableList list{static_cast<std::uint32_t>(cables_of_lists_.size()), 0};
  cable_links_.clear();
  routes_.append_path(ends.from, ends.to, path, cable_links_);
  for (const LinkId link : cable_links_) {
    if (!is_cable(Resources::link(link))) continue;
    cables_of_lists_.push_back(static_cast<std::uint32_t>(link) - first_cable_);
    ++list.count;
  }
  cable_lists_.push_back(list);
  return static_cast<std::uint32_t>(cable_lists_.size() - 1);
}

std::uint32_t MessageRoutes::drawn(const Route& way, Rank from, Rank to) {
  if (way.candidates < 2 || sent_.empty()) return 0;
  return static_cast<std::uint32_t>(hash(index(from), index(to), ++sent_[index(from)]) % way.candidates);
}

std::uint32_t MessageRoutes::least_loaded(const Route& way) const {
  std::uint32_t best = 0;
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t c = 0; way.candidates > 1 && c < way.candidates; ++c) {
    const std::uint32_t cables = choices_[way.choice + c].cables;
    double worst = 0.0;
    std::uint32_t hops = 0;
    for (std::uint32_t part = 0; part < way.parts; ++part) {
      const CableList list = cable_lists_[way.parts > 1 ? lists_of_parts_[cables + part] : cables];
      for (std::uint32_t k = list.begin; k < list.begin + list.count; ++k) {
        const Cable& cable = cables_[cables_of_lists_[k]];
        worst = std::max(worst, cable.messages / cable.bandwidth);
      }
      hops = std::max(hops, list.count);
    }
    const double cost = worst * static_cast<double>(hops);
    if (cost >= least) continue;
    least = cost;
    best = c;
  }
  return best;
}

void MessageRoutes::count(RouteId route, int messages) {
  if (cables_.empty()) return;
  for (const ResourceId id : table_.resources(route))
    if (is_cable(id))
      cables_[static_cast<std::uint32_t>(id) - first_cable_].messages += static_cast<std::uint32_t>(messages);
}

}  // namespace orrery::engine
