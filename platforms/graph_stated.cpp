#include "platforms/graph_stated.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

namespace {

using Number = std::uint32_t;

/// Where a route may have come to, and over which links.
struct Place {
  Number at = 0;
  std::vector<Number> links;
  std::vector<Number> media = {};  ///< that the route has passed
};

class Walk {
 public:
  Walk(const GraphParts& parts, const GraphTopology::Route& route) : parts_(parts), route_(route) {}

  StatedRoute followed() {
    const Number from = end("from", route_.from), to = end("to", route_.to);
    if (from == to) refuse(Refusal("a route from '{}' to itself. Name another end?", route_.to));
    places_ = {{from, {}, {}}};
    if (from >= parts_.first_medium) places_.front().media.push_back(from);
    for (const std::string& name : route_.over) pass(name);
    std::vector<Place> arrived;
    for (const Place& place : places_) {
      if (place.at == to) arrived.push_back(place);
      if (const auto wire = parts_.wires.find({place.at, to}); wire != parts_.wires.end())
        arrived.push_back(longer(place, wire->second, to));
    }
    if (arrived.empty())
      refuse(Refusal("the route ends at {}, not at '{}'. Add to 'over' what leads there?", words(places_.front().at),
                     route_.to));
    std::vector<Number> media = arrived.front().media;
    std::ranges::sort(media);
    if (const auto twice = std::ranges::adjacent_find(media); twice != media.end())
      refuse(Refusal("the route passes {} twice (once each). Leave out what leads back to it?", words(*twice)));
    return {from, to, arrived.front().links};
  }

 private:
  [[noreturn]] void refuse(const Refusal& problem) const { throw InputError("{}: {}", route_.where, problem); }

  std::string words(Number place) const {
    return fmt::format("{} '{}'", place < parts_.first_medium ? "switch" : "medium", parts_.names[place]);
  }

  Number end(const char* key, const std::string& name) const {
    const auto found = parts_.numbers.find(name);
    if (found == parts_.numbers.end())
      refuse(Refusal("'{}' is an unknown switch or medium '{}'{}", key, name, known_names(name, parts_.names)));
    return found->second;
  }

  Place longer(const Place& place, Number link, Number to) const {
    Place next{to, place.links, place.media};
    next.links.push_back(link);
    if (to >= parts_.first_medium) next.media.push_back(to);
    return next;
  }

  void pass(const std::string& name) {
    if (!passed_.insert(name).second) refuse(Refusal("'{}' is twice in 'over' (once each). Remove one?", name));
    const auto link = parts_.links.find(name);
    const auto medium = parts_.numbers.find(name);
    const bool is_medium = medium != parts_.numbers.end() && medium->second >= parts_.first_medium;
    if (link == parts_.links.end() && !is_medium) refuse_unknown(name);
    std::vector<Place> next;
    for (const Place& place : places_) {
      if (is_medium)
        enter(place, medium->second, next);
      else
        cross(place, link->second, next);
    }
    if (next.empty()) refuse_gap(name, is_medium ? nullptr : &link->second);
    places_ = std::move(next);
  }

  /// From the place, or from a switch on the medium that the place is.
  void cross(const Place& place, const GraphParts::Link& link, std::vector<Place>& into) const {
    const auto from = [&](const Place& at) {
      if (at.at == link.from) into.push_back(longer(at, link.number, link.to));
      if (at.at == link.to) into.push_back(longer(at, link.number + 1, link.from));
    };
    from(place);
    for (const Number beside : {link.from, link.to})
      if (const auto wire = parts_.wires.find({place.at, beside}); wire != parts_.wires.end())
        from(longer(place, wire->second, beside));
  }

  void enter(const Place& place, Number medium, std::vector<Place>& into) const {
    if (place.at == medium) into.push_back(place);
    if (const auto wire = parts_.wires.find({medium, place.at}); wire != parts_.wires.end())
      into.push_back(longer(place, wire->second + 1, medium));
    if (place.at < parts_.first_medium || place.at == medium) return;
    for (auto wire = parts_.wires.lower_bound({place.at, 0});
         wire != parts_.wires.end() && wire->first.first == place.at; ++wire)  // over a switch that both are on
      if (const auto other = parts_.wires.find({medium, wire->first.second}); other != parts_.wires.end())
        return into.push_back(longer(longer(place, wire->second, wire->first.second), other->second + 1, medium));
  }

  [[noreturn]] void refuse_unknown(const std::string& name) const {
    std::vector<std::string> known;
    for (const auto& [one, link] : parts_.links) known.push_back(one);
    for (Number m = parts_.first_medium; m < parts_.names.size(); ++m) known.push_back(parts_.names[m]);
    refuse(Refusal("unknown link or medium '{}'{}", name, known_names(name, known)));
  }

  [[noreturn]] void refuse_gap(const std::string& name, const GraphParts::Link* link) const {
    const std::string what = link == nullptr
                                 ? fmt::format("medium '{}' is not joined to it", name)
                                 : fmt::format("link '{}' joins {} and {}", name, words(link->from), words(link->to));
    refuse(Refusal("the route is at {} before '{}', but {}. Name in 'over' what lies between?",
                   words(places_.front().at), name, what));
  }

  const GraphParts& parts_;
  const GraphTopology::Route& route_;
  std::vector<Place> places_;
  std::set<std::string> passed_;
};

/// The same links in the other direction; links there and back are numbered in pairs.
StatedRoute turned(const StatedRoute& route) {
  StatedRoute back{route.to, route.from, {}};
  for (auto link = route.links.rbegin(); link != route.links.rend(); ++link) back.links.push_back(*link ^ 1u);
  return back;
}

}  // namespace

std::vector<StatedRoute> stated_routes(const GraphTopology& topology, const GraphParts& parts) {
  std::vector<StatedRoute> routes;
  std::set<std::pair<Number, Number>> known;
  for (const GraphTopology::Route& route : topology.routes) {
    routes.push_back(Walk(parts, route).followed());
    if (!known.insert({routes.back().from, routes.back().to}).second)
      throw InputError("{}: a second route from '{}' to '{}' (one each). Remove one?", route.where, route.from,
                       route.to);
  }
  const std::size_t written = routes.size();
  for (std::size_t i = 0; i < written; ++i)
    if (known.insert({routes[i].to, routes[i].from}).second) routes.push_back(turned(routes[i]));
  return routes;
}

}  // namespace orrery
