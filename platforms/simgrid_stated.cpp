#include "platforms/simgrid_stated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

namespace orrery {

namespace {

constexpr std::size_t compared_ways_max = 1000000;
constexpr std::size_t stated_routes_max = 40000;

class StatedRouteFinder {
 public:
  StatedRouteFinder(const SimgridElements& elements, const SimgridRouting& routing, const SimgridGraph& graph,
                    const Routes& routes, std::span<const std::uint32_t> node_of)
      : elements_(elements), routing_(routing), graph_(graph), routes_(routes), node_of_(node_of) {
    name_of_.resize(elements.links.size());
    for (const auto& cable : graph.cables) {
      for (const std::uint32_t link : {cable.there, cable.back}) name_of_[link] = &cable.name;
      turned_[cable.there] = cable.back;
      turned_[cable.back] = cable.there;
      ends_of_[cable.there].emplace_back(cable.from, cable.to);
      ends_of_[cable.back].emplace_back(cable.to, cable.from);
    }
    for (std::uint32_t i = 0; i < graph.media.size(); ++i) {
      const auto& medium = graph.media[i];
      place_of_medium_[medium.link] = static_cast<std::uint32_t>(graph.switches.size()) + i;
      name_of_[medium.link] = &medium.name;
      turned_[medium.link] = medium.link;
      medium_named_["medium:" + medium.name] = medium.link;
    }
  }

  std::vector<SimgridStatedRoute> find() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> hosts_at;
    for (std::uint32_t host = 0; host < elements_.hosts.size(); ++host) hosts_at[graph_.place_of[host]].push_back(host);
    if (hosts_at.size() * elements_.hosts.size() > compared_ways_max) return {};
    std::vector<SimgridStatedRoute> found;
    for (auto from = hosts_at.begin(); from != hosts_at.end(); ++from)
      for (auto to = std::next(from); to != hosts_at.end(); ++to) {
        const SimgridWay there = in_file(from->second.front(), to->second.front()),
                         back = in_file(to->second.front(), from->second.front());
        const bool wrong_there = differs(there, from->second.front(), to->second),
                   wrong_back = differs(back, to->second.front(), from->second);
        if (!wrong_there && !wrong_back) continue;
        // A route that is written is one both ways, unless each has its own.
        add(from->first, to->first, there, found);
        if (!is_turned(back, there)) add(to->first, from->first, back, found);
        if (found.size() > stated_routes_max) return {};
      }
    return found;
  }

 private:
  /// The links of the file's way that the graph has; empty where there is none.
  SimgridWay in_file(std::uint32_t from, std::uint32_t to) const {
    SimgridWay way;
    if (!routing_.way(from, to, way)) return {};
    std::erase_if(way, [&](std::uint32_t link) { return name_of_[link] == nullptr; });
    return way;
  }
  SimgridWay built(std::uint32_t from, std::uint32_t to) const {
    SimgridWay way;
    const std::size_t first = index(routes_.first_cable());
    for (const LinkId id : routes_.route(NodeId{node_of_[from]}, NodeId{node_of_[to]})) {
      const std::size_t i = index(id) - first;  // a cable is two of them, there and back
      if (index(id) >= first && i < 2 * graph_.cables.size()) {
        way.push_back(i % 2 == 0 ? graph_.cables[i / 2].there : graph_.cables[i / 2].back);
      } else if (routes_.is_shared(id)) {
        const auto medium = medium_named_.find(routes_.link(id).name);
        if (medium != medium_named_.end()) way.push_back(medium->second);
      }
    }
    return way;
  }
  /// Of several equal ways each destination may have another.
  bool differs(SimgridWay way, std::uint32_t from, const std::vector<std::uint32_t>& to) const {
    if (way.empty()) return false;
    std::ranges::sort(way);
    return std::ranges::any_of(to, [&](std::uint32_t host) {
      SimgridWay here = built(from, host);
      std::ranges::sort(here);
      return way != here;
    });
  }
  bool is_turned(const SimgridWay& back, const SimgridWay& there) const {
    return back.size() == there.size() &&
           std::equal(back.rbegin(), back.rend(), there.begin(),
                      [&](std::uint32_t a, std::uint32_t b) { return turned_.at(a) == b; });
  }
  /// A link begins where the one before it ended; SimGrid's own way through a dragonfly's chassis does not. A medium is
  /// left over any switch on it.
  bool follows(std::uint32_t from, std::uint32_t to, const SimgridWay& way) const {
    std::set<std::uint32_t> at{from};
    const auto with_neighbours = [&](const std::set<std::uint32_t>& places) {
      std::set<std::uint32_t> all = places;
      for (const std::uint32_t place : places)
        if (place >= graph_.switches.size()) {
          const auto& between = graph_.media[place - graph_.switches.size()].between;
          all.insert(between.begin(), between.end());
        }
      return all;
    };
    for (const std::uint32_t link : way) {
      std::set<std::uint32_t> next;
      const std::set<std::uint32_t> from_here = with_neighbours(at);
      if (const auto medium = place_of_medium_.find(link); medium != place_of_medium_.end()) {
        const auto& between = graph_.media[medium->second - graph_.switches.size()].between;
        const bool entered = at.contains(medium->second) || std::ranges::any_of(between, [&](std::uint32_t place) {
                               return from_here.contains(place);
                             });
        if (entered) next.insert(medium->second);
      } else {
        for (const auto& [a, b] : ends_of_.at(link))
          if (from_here.contains(a)) next.insert(b);
      }
      if (next.empty()) return false;
      at = std::move(next);
    }
    if (with_neighbours(at).contains(to)) return true;
    return to >= graph_.switches.size() && std::ranges::any_of(graph_.media[to - graph_.switches.size()].between,
                                                               [&](std::uint32_t place) { return at.contains(place); });
  }

  /// One that takes a link twice cannot be written.
  void add(std::uint32_t from, std::uint32_t to, const SimgridWay& way, std::vector<SimgridStatedRoute>& into) const {
    if (way.empty() || !follows(from, to, way)) return;
    SimgridStatedRoute route{from, to, {}};
    for (const std::uint32_t link : way) {
      const std::string& name = *name_of_[link];
      if (std::ranges::find(route.over, name) != route.over.end()) return;
      route.over.push_back(name);
    }
    into.push_back(std::move(route));
  }

  const SimgridElements& elements_;
  const SimgridRouting& routing_;
  const SimgridGraph& graph_;
  const Routes& routes_;
  std::span<const std::uint32_t> node_of_;
  std::vector<const std::string*> name_of_;                  ///< [links] null: it is no part of the graph
  std::unordered_map<std::uint32_t, std::uint32_t> turned_;  ///< link -> what leads back
  std::unordered_map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> ends_of_;  ///< of cables
  std::unordered_map<std::uint32_t, std::uint32_t> place_of_medium_;                                 ///< link -> place
  std::unordered_map<std::string, std::uint32_t> medium_named_;  ///< as routes call it -> link
};

}  // namespace

std::vector<SimgridStatedRoute> stated_routes_of(const SimgridElements& elements, const SimgridRouting& routing,
                                                 const SimgridGraph& graph, const Routes& routes,
                                                 std::span<const std::uint32_t> node_of) {
  return StatedRouteFinder(elements, routing, graph, routes, node_of).find();
}

void require_joined(const SimgridElements& elements, const SimgridGraph& graph) {
  std::vector<std::uint32_t> parent(graph.switches.size() + graph.media.size());
  std::iota(parent.begin(), parent.end(), 0u);
  const auto find = [&](std::uint32_t place) {
    while (parent[place] != place) place = parent[place] = parent[parent[place]];
    return place;
  };
  for (const auto& cable : graph.cables) parent[find(cable.from)] = find(cable.to);
  for (std::uint32_t i = 0; i < graph.media.size(); ++i)
    for (const std::uint32_t place : graph.media[i].between)
      parent[find(place)] = find(static_cast<std::uint32_t>(graph.switches.size()) + i);
  for (std::size_t host = 1; host < elements.hosts.size(); ++host)
    if (find(graph.place_of[host]) != find(graph.place_of[0]))
      elements.refuse(elements.hosts[host].line,
                      Refusal("host '{}' has no route to host '{}' (all hosts of a platform are joined). Add a "
                              "route?",
                              elements.hosts[host].name, elements.hosts[0].name));
}

}  // namespace orrery
