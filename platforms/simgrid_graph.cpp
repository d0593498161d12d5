#include "platforms/simgrid_graph.hpp"

#include <algorithm>
#include <optional>

namespace orrery {

namespace {

using Point = std::uint32_t;

/// Points that turn out to be one.
class Points {
 public:
  Point add(bool named = false) {
    parent_.push_back(static_cast<Point>(parent_.size()));
    named_.push_back(named);
    return parent_.back();
  }
  bool is_named(Point p) { return named_[find(p)]; }  ///< a host, router or cluster is there
  Point find(Point p) {
    while (parent_[p] != p) p = parent_[p] = parent_[parent_[p]];
    return p;
  }
  void join(Point a, Point b) {
    const bool named = is_named(a) || is_named(b);
    parent_[find(b)] = find(a);
    named_[find(a)] = named;
  }
  std::size_t size() const { return parent_.size(); }

 private:
  std::vector<Point> parent_;
  std::vector<bool> named_;
};

class Builder {
 public:
  explicit Builder(const SimgridElements& elements) : elements_(elements), ends_(elements.links.size()) {}

  SimgridGraph build() {
    for (const auto& host : elements_.hosts) named(host.name);
    for (const auto& cluster : elements_.clusters) named(cluster.name);
    std::vector<const SimgridRoute*> routes;  // short ones first: they say where links end
    for (const auto& route : elements_.routes) routes.push_back(&route);
    std::ranges::stable_sort(routes, {}, [](const SimgridRoute* route) { return route->links.size(); });
    for (const SimgridRoute* route : routes) add(*route);
    return result();
  }

 private:
  struct Ends {
    Point first = 0, second = 0;
    bool known = false;
  };

  Point named(const std::string& name) {
    const auto [at, added] = names_.try_emplace(name, 0);
    if (added) at->second = points_.add(true);
    return at->second;
  }

  void add(const SimgridRoute& route) {
    placed_.clear();
    Point here = named(route.from);
    const Point there = named(route.to);
    for (std::size_t i = 0; i < route.links.size(); ++i) {
      const std::optional<Point> next = step(route, i, here, there);
      if (!next) {
        for (const std::size_t link : placed_) ends_[link].known = false;
        ++graph_.contradictions;
        return;
      }
      here = *next;
    }
    if (!same(here, there)) points_.join(there, here);
    graph_.kept.push_back(&route);
  }

  bool same(Point a, Point b) { return points_.find(a) == points_.find(b); }

  /// Where link i of a route leads. One not seen before leads to where the next one begins, else to a point of its own.
  std::optional<Point> step(const SimgridRoute& route, std::size_t i, Point here, Point there) {
    Ends& ends = ends_[route.links[i]];
    if (ends.known) {
      if (same(ends.first, here)) return ends.second;
      if (same(ends.second, here)) return ends.first;
      if (points_.is_named(here)) return std::nullopt;
      // Two links have met nowhere yet: they do here.
      const Point entered = near_end(route, i, there);
      points_.join(entered, here);
      return same(entered, ends.first) ? ends.second : ends.first;
    }
    const bool last = i + 1 == route.links.size();
    const Point target = last ? there : ends_[route.links[i + 1]].known ? near_end(route, i + 1, there) : points_.add();
    ends = {here, target, true};
    placed_.push_back(route.links[i]);
    return target;
  }

  /// At which end a known link is entered: the one that the rest of the route is not at; else as it was first declared.
  Point near_end(const SimgridRoute& route, std::size_t i, Point there) {
    const Ends& ends = ends_[route.links[i]];
    const bool last = i + 1 == route.links.size();
    const auto leads_on = [&](Point end) {
      if (last) return same(end, there);
      const Ends& next = ends_[route.links[i + 1]];
      return next.known && (same(end, next.first) || same(end, next.second));
    };
    return leads_on(ends.first) && !leads_on(ends.second) ? ends.second : ends.first;
  }

  SimgridGraph result() {
    std::map<Point, std::uint32_t> numbers;
    const auto number = [&](Point p) {
      return numbers.try_emplace(points_.find(p), static_cast<std::uint32_t>(numbers.size())).first->second;
    };
    for (const auto& [name, point] : names_) graph_.point_of[name] = number(point);
    for (std::size_t link = 0; link < ends_.size(); ++link)
      if (ends_[link].known) graph_.cables.push_back({number(ends_[link].first), number(ends_[link].second), link});
    graph_.points = static_cast<std::uint32_t>(numbers.size());
    return std::move(graph_);
  }

  const SimgridElements& elements_;
  Points points_;
  std::map<std::string, Point> names_;
  std::vector<Ends> ends_;
  std::vector<std::size_t> placed_;  ///< links whose ends the route being added has fixed
  SimgridGraph graph_;
};

}  // namespace

SimgridGraph graph_of(const SimgridElements& elements) { return Builder(elements).build(); }

}  // namespace orrery
