#include "platforms/simgrid_stated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

namespace orrery {

namespace {

constexpr std::size_t stated_places_max = 600;
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
    }
    for (const auto& medium : graph.media) {
      name_of_[medium.link] = &medium.name;
      turned_[medium.link] = medium.link;
      medium_named_["medium:" + medium.name] = medium.link;
    }
  }

  std::vector<SimgridStatedRoute> find() {
    std::map<std::uint32_t, std::uint32_t> host_at;  // one for each place
    for (std::uint32_t host = 0; host < elements_.hosts.size(); ++host) host_at.try_emplace(graph_.place_of[host], host);
    if (host_at.size() > stated_places_max) return {};
    std::vector<SimgridStatedRoute> found;
    for (auto from = host_at.begin(); from != host_at.end(); ++from)
      for (auto to = std::next(from); to != host_at.end(); ++to) {
        const SimgridWay there = in_file(from->second, to->second), back = in_file(to->second, from->second);
        const bool wrong_there = differs(there, from->second, to->second),
                   wrong_back = differs(back, to->second, from->second);
        if (!wrong_there && !wrong_back) continue;
        if (wrong_there || is_turned(back, there)) add(from->first, to->first, there, found);
        if (!is_turned(back, there)) add(to->first, from->first, back, found);
        // A route that is written is one both ways, unless each has its own.
        if (!wrong_there && !is_turned(back, there)) add(from->first, to->first, there, found);
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
  bool differs(SimgridWay way, std::uint32_t from, std::uint32_t to) const {
    if (way.empty()) return false;
    SimgridWay here = built(from, to);
    std::ranges::sort(way);
    std::ranges::sort(here);
    return way != here;
  }
  bool is_turned(const SimgridWay& back, const SimgridWay& there) const {
    return back.size() == there.size() && std::equal(back.rbegin(), back.rend(), there.begin(),
                                                     [&](std::uint32_t a, std::uint32_t b) {
                                                       return turned_.at(a) == b;
                                                     });
  }
  /// One that takes a link twice cannot be written.
  void add(std::uint32_t from, std::uint32_t to, const SimgridWay& way, std::vector<SimgridStatedRoute>& into) const {
    if (way.empty()) return;
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
  std::vector<const std::string*> name_of_;                      ///< [links] null: it is no part of the graph
  std::unordered_map<std::uint32_t, std::uint32_t> turned_;      ///< link -> what leads back
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
                      fmt::format("host '{}' has no route to host '{}' (all hosts of a platform are joined). Add a "
                                  "route?",
                                  elements.hosts[host].name, elements.hosts[0].name));
}

}  // namespace orrery
