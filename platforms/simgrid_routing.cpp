#include "platforms/simgrid_routing.hpp"

#include <algorithm>
#include <limits>
#include <queue>
#include <tuple>

#include "platforms/simgrid_topologies.hpp"

namespace orrery {

namespace {

using ZoneRouting = SimgridZone::Routing;
constexpr std::uint32_t routing_depth_max = 64;
constexpr std::uint32_t no_way_before = 0xffffffffu;
constexpr std::size_t floyd_points_max = 1500;

std::uint64_t key_of_ends(std::uint32_t a, std::uint32_t b) { return (std::uint64_t{a} << 32) | b; }

}  // namespace

struct SimgridRouting::Zone {
  std::unordered_map<std::uint64_t, std::uint32_t> routes;  ///< ends, as numbers in the zone -> route
  // As far as they were asked for.
  mutable std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> before;  ///< from -> [points] the one before
  mutable std::vector<std::uint32_t> order;                                      ///< [points] for Dijkstra
  mutable std::vector<std::vector<std::uint32_t>> leaving;                       ///< [points] routes from there
};

SimgridRouting::SimgridRouting(const SimgridElements& elements) : elements_(elements), zones_(elements.zones.size()) {
  for (std::size_t z = 0; z < zones_.size(); ++z) {
    const auto& routes = elements.zones[z].routes;
    for (std::uint32_t i = 0; i < routes.size(); ++i)
      zones_[z].routes[key_of_ends(elements.points[routes[i].from].number, elements.points[routes[i].to].number)] = i;
  }
}
SimgridRouting::~SimgridRouting() = default;

bool SimgridRouting::way(std::uint32_t from_host, std::uint32_t to_host, SimgridWay& into) const {
  into.clear();
  return between(elements_.hosts[from_host].point, elements_.hosts[to_host].point, into, 0);
}

std::vector<std::uint32_t> SimgridRouting::zones_around(std::uint32_t point) const {
  std::vector<std::uint32_t> around;
  for (std::uint32_t zone = elements_.points[point].zone; zone != no_point; zone = elements_.zones[zone].parent)
    around.push_back(zone);
  return around;
}

bool SimgridRouting::between(std::uint32_t from, std::uint32_t to, SimgridWay& into, std::uint32_t depth) const {
  if (depth > routing_depth_max) return false;
  std::vector<std::uint32_t> around_from = zones_around(from), around_to = zones_around(to);
  std::uint32_t common = no_point;
  while (around_from.size() > 1 && around_to.size() > 1 && around_from.back() == around_to.back()) {
    common = around_from.back();
    around_from.pop_back();
    around_to.pop_back();
  }
  const std::uint32_t zone_from = around_from.back(), zone_to = around_to.back();
  if (zone_from == zone_to) common = zone_from;
  bool found = false;
  if (bypass(common, from, to, into, depth, found)) return found;
  Local way;
  if (zone_from == zone_to) {
    if (elements_.points[from].zone != common || elements_.points[to].zone != common) return false;
    if (!local(common, from, to, way, depth)) return false;
    into.insert(into.end(), way.links.begin(), way.links.end());
    return true;
  }
  if (!local(common, elements_.zones[zone_from].point, elements_.zones[zone_to].point, way, depth)) return false;
  if (way.gateway_from == no_point || way.gateway_to == no_point) return false;
  if (from != way.gateway_from && !between(from, way.gateway_from, into, depth + 1)) return false;
  into.insert(into.end(), way.links.begin(), way.links.end());
  return to == way.gateway_to || between(way.gateway_to, to, into, depth + 1);
}

bool SimgridRouting::bypass(std::uint32_t zone, std::uint32_t from, std::uint32_t to, SimgridWay& into,
                            std::uint32_t depth, bool& found) const {
  const auto& bypasses = elements_.zones[zone].bypasses;
  if (bypasses.empty()) return false;
  if (elements_.points[from].zone == zone && elements_.points[to].zone == zone) {
    const auto direct = bypasses.find({from, to});
    if (direct == bypasses.end()) return false;
    into.insert(into.end(), direct->second.links.begin(), direct->second.links.end());
    return found = true;
  }
  std::vector<std::uint32_t> around_from = zones_around(from), around_to = zones_around(to);
  while (around_from.size() > 1 && around_to.size() > 1 && around_from.back() == around_to.back()) {
    around_from.pop_back();
    around_to.pop_back();
  }
  const SimgridRoute* route = nullptr;
  const auto look = [&](std::size_t i, std::size_t j) {
    if (i >= around_from.size() || j >= around_to.size()) return false;
    const auto there = bypasses.find({elements_.zones[around_from[i]].point, elements_.zones[around_to[j]].point});
    if (there != bypasses.end()) route = &there->second;
    return route != nullptr;
  };
  const std::size_t most = std::max(around_from.size(), around_to.size());
  for (std::size_t far = 0; far < most && route == nullptr; ++far) {
    for (std::size_t i = 0; i < far && route == nullptr; ++i)
      if (!look(i, far)) look(far, i);
    if (route == nullptr) look(far, far);
  }
  if (route == nullptr) return false;
  // A gateway that is the host itself is reached over its own links, as SimGrid has it.
  found = between(from, route->gateway_from, into, depth + 1) || from == route->gateway_from;
  into.insert(into.end(), route->links.begin(), route->links.end());
  found = found && (between(route->gateway_to, to, into, depth + 1) || to == route->gateway_to);
  return true;
}

bool SimgridRouting::local(std::uint32_t zone, std::uint32_t from, std::uint32_t to, Local& into,
                           std::uint32_t depth) const {
  const SimgridZone& of = elements_.zones[zone];
  const std::uint32_t a = elements_.points[from].number, b = elements_.points[to].number;
  switch (of.routing) {
    case ZoneRouting::none:
      return false;
    case ZoneRouting::star:
      return star(zone, a, b, into);
    case ZoneRouting::fat_tree:
    case ZoneRouting::torus:
    case ZoneRouting::dragonfly:
      elements_.clusters[of.cluster].ways->append_way(a, b, into.links);
      return true;
    case ZoneRouting::full: {
      const auto route = zones_[zone].routes.find(key_of_ends(a, b));
      if (route == zones_[zone].routes.end()) return false;
      const SimgridRoute& found = of.routes[route->second];
      into = {found.links, found.gateway_from, found.gateway_to};
      return true;
    }
    case ZoneRouting::floyd:
    case ZoneRouting::dijkstra:
      break;
  }
  return composed(zone, a, b, into, depth);
}

/// A link that both ways take is taken once.
bool SimgridRouting::star(std::uint32_t zone, std::uint32_t from, std::uint32_t to, Local& into) const {
  const auto& spokes = elements_.zones[zone].spokes;
  if (from == to && !spokes[from].loopback.empty()) {
    into.links = spokes[from].loopback;
    return true;
  }
  for (const SimgridWay* part : {&spokes[from].up, &spokes[to].down})
    for (const std::uint32_t link : *part)
      if (std::ranges::find(into.links, link) == into.links.end()) into.links.push_back(link);
  return true;
}

/// Of shortest routes, by the number of their links.
bool SimgridRouting::composed(std::uint32_t zone, std::uint32_t from, std::uint32_t to, Local& into,
                              std::uint32_t depth) const {
  const SimgridZone& of = elements_.zones[zone];
  const auto& routes = zones_[zone].routes;
  std::vector<const SimgridRoute*> parts;
  if (from == to) {
    const auto loop = routes.find(key_of_ends(from, to));
    if (loop == routes.end()) return false;
    parts.push_back(&of.routes[loop->second]);
  }
  const std::vector<std::uint32_t>& before = ways_from(zone, from);
  for (std::uint32_t at = to; at != from; at = before[at]) {
    if (before[at] == no_way_before) return false;
    parts.push_back(&of.routes[routes.at(key_of_ends(before[at], at))]);
  }
  std::ranges::reverse(parts);
  into.gateway_from = parts.front()->gateway_from;
  into.gateway_to = parts.back()->gateway_to;
  std::uint32_t here = no_point;
  for (const SimgridRoute* part : parts) {
    if (of.has_zones && here != no_point && here != part->gateway_from &&
        !between(here, part->gateway_from, into.links, depth + 1))
      return false;
    into.links.insert(into.links.end(), part->links.begin(), part->links.end());
    here = part->gateway_to;
  }
  return true;
}

/// [points] the one before on the way from `from`, the ties broken as SimGrid breaks them.
const std::vector<std::uint32_t>& SimgridRouting::ways_from(std::uint32_t zone, std::uint32_t from) const {
  const Zone& its = zones_[zone];
  const auto known = its.before.find(from);
  if (known != its.before.end()) return known->second;
  const SimgridZone& of = elements_.zones[zone];
  if (of.routing == ZoneRouting::dijkstra || of.points.size() > floyd_points_max)
    return its.before[from] = dijkstra(zone, from);
  floyd(zone);
  return its.before[from];
}

void SimgridRouting::floyd(std::uint32_t zone) const {
  constexpr std::uint64_t far = std::numeric_limits<std::uint64_t>::max();
  const SimgridZone& of = elements_.zones[zone];
  const std::size_t n = of.points.size();
  std::vector<std::vector<std::uint64_t>> cost(n, std::vector<std::uint64_t>(n, far));
  auto& before = zones_[zone].before;
  for (std::uint32_t a = 0; a < n; ++a) {
    before[a].assign(n, no_way_before);
    cost[a][a] = 1;  // the loopback
    before[a][a] = a;
  }
  for (const auto& [ends, route] : zones_[zone].routes) {
    const auto a = static_cast<std::uint32_t>(ends >> 32), b = static_cast<std::uint32_t>(ends);
    cost[a][b] = of.routes[route].links.size();
    before[a][b] = a;
  }
  for (std::uint32_t over = 0; over < n; ++over)
    for (std::uint32_t a = 0; a < n; ++a) {
      if (cost[a][over] == far) continue;
      for (std::uint32_t b = 0; b < n; ++b) {
        if (cost[over][b] == far || cost[a][over] + cost[over][b] >= cost[a][b]) continue;
        cost[a][b] = cost[a][over] + cost[over][b];
        before[a][b] = before[over][b];
      }
    }
}

std::vector<std::uint32_t> SimgridRouting::dijkstra(std::uint32_t zone, std::uint32_t from) const {
  const Zone& its = zones_[zone];
  const SimgridZone& of = elements_.zones[zone];
  const auto n = static_cast<std::uint32_t>(of.points.size());
  if (its.order.empty()) {  // SimGrid numbers points as routes name them first
    its.order.assign(n, no_way_before);
    its.leaving.resize(n);
    std::uint32_t next = 0;
    for (std::uint32_t i = 0; i < of.routes.size(); ++i) {
      const std::uint32_t a = elements_.points[of.routes[i].from].number, b = elements_.points[of.routes[i].to].number;
      for (const std::uint32_t end : {a, b})
        if (its.order[end] == no_way_before) its.order[end] = next++;
      if (a != b) its.leaving[a].push_back(i);
    }
  }
  std::vector<std::uint64_t> cost(n, std::numeric_limits<std::uint64_t>::max());
  std::vector<std::uint32_t> before(n, no_way_before);
  using Next = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>;  // cost, order, point
  std::priority_queue<Next, std::vector<Next>, std::greater<>> next;
  cost[from] = 0;
  next.emplace(0, its.order[from], from);
  while (!next.empty()) {
    const auto [far, order, at] = next.top();
    next.pop();
    if (far > cost[at]) continue;
    for (const std::uint32_t i : its.leaving[at]) {
      const std::uint32_t to = elements_.points[of.routes[i].to].number;
      const std::uint64_t there = far + of.routes[i].links.size();
      if (there >= cost[to]) continue;
      cost[to] = there;
      before[to] = at;
      next.emplace(there, its.order[to], to);
    }
  }
  return before;
}

}  // namespace orrery
