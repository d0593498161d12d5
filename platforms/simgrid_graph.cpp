#include "platforms/simgrid_graph.hpp"

#include <algorithm>
#include <optional>
#include <tuple>

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
  explicit Builder(const SimgridElements& elements)
      : elements_(elements), ends_(elements.links.size()), taken_(elements.links.size(), 0) {}

  SimgridGraph build() {
    for (const auto& host : elements_.hosts) named(host.name);
    for (const auto& cluster : elements_.clusters) named(cluster.name);
    std::vector<const SimgridRoute*> routes;  // short ones first: they say where links end
    for (const auto& route : elements_.routes) routes.push_back(&route);
    std::ranges::stable_sort(routes, {}, [](const SimgridRoute* route) { return route->links.size(); });
    for (const SimgridRoute* route : routes) add(*route);
    join_ends_of_lone_cables();
    join_opposite_points();
    return result();
  }

 private:
  struct Ends {
    Point first = 0, second = 0;
    bool known = false;
  };
  /// Bits: from the first end to the second, and back.
  static constexpr std::uint8_t there = 1, back = 2, both = there | back;
  using Side = std::tuple<Point, double, double>;  ///< where a link leads, its bandwidth and latency
  struct Passing {                                 ///< of a point: sorted
    std::vector<Side> in, out;
    bool both_ways = false;
  };

  Point named(const std::string& name) {
    const auto [at, added] = names_.try_emplace(name, 0);
    if (added) at->second = points_.add(true);
    return at->second;
  }

  void add(const SimgridRoute& route) {
    placed_.clear();
    passed_.clear();
    Point here = named(route.from);
    const Point end = named(route.to);
    for (std::size_t i = 0; i < route.links.size(); ++i) {
      const std::optional<Point> next = step(route, i, here, end);
      if (!next) {
        for (const std::size_t link : placed_) ends_[link].known = false;
        ++graph_.contradictions;
        return;
      }
      here = *next;
    }
    if (!same(here, end)) points_.join(end, here);
    for (const auto& [link, direction] : passed_) taken_[link] |= route.symmetrical ? both : direction;
    graph_.kept.push_back(&route);
  }

  bool same(Point a, Point b) { return points_.find(a) == points_.find(b); }

  Point pass(std::size_t link, std::uint8_t direction) {
    passed_.emplace_back(link, direction);
    return direction == there ? ends_[link].second : ends_[link].first;
  }

  /// Where link i of a route leads. One not seen before leads to where the next one begins, else to a point of its own.
  std::optional<Point> step(const SimgridRoute& route, std::size_t i, Point here, Point end) {
    const std::size_t link = route.links[i];
    Ends& ends = ends_[link];
    if (ends.known) {
      if (same(ends.first, here)) return pass(link, there);
      if (same(ends.second, here)) return pass(link, back);
      if (points_.is_named(here)) return std::nullopt;
      // Two links have met nowhere yet: they do here.
      const Point entered = near_end(route, i, end);
      points_.join(entered, here);
      return pass(link, same(entered, ends.first) ? there : back);
    }
    const bool last = i + 1 == route.links.size();
    const Point target = last ? end : ends_[route.links[i + 1]].known ? near_end(route, i + 1, end) : points_.add();
    ends = {here, target, true};
    placed_.push_back(link);
    return pass(link, there);
  }

  /// At which end a known link is entered: the one that the rest of the route is not at; else as it was first declared.
  Point near_end(const SimgridRoute& route, std::size_t i, Point destination) {
    const Ends& ends = ends_[route.links[i]];
    const bool last = i + 1 == route.links.size();
    const auto leads_on = [&](Point end) {
      if (last) return same(end, destination);
      const Ends& next = ends_[route.links[i + 1]];
      return next.known && (same(end, next.first) || same(end, next.second));
    };
    return leads_on(ends.first) && !leads_on(ends.second) ? ends.second : ends.first;
  }

  /// Where a link leads from and to, as routes take it.
  std::pair<Point, Point> way(std::size_t link) {
    const Point first = points_.find(ends_[link].first), second = points_.find(ends_[link].second);
    return taken_[link] == back ? std::pair{second, first} : std::pair{first, second};
  }

  std::map<Point, Passing> passing_of_points() {
    std::map<Point, Passing> passing;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      const auto [from, to] = way(i);
      if (!ends_[i].known || from == to) continue;
      const SimgridLink& link = elements_.links[i];
      passing[from].out.emplace_back(to, link.bandwidth, link.latency);
      passing[to].in.emplace_back(from, link.bandwidth, link.latency);
      if (taken_[i] == both) passing[from].both_ways = passing[to].both_ways = true;
    }
    for (auto& [point, its] : passing) std::ranges::sort(its.in), std::ranges::sort(its.out);
    return passing;
  }

  /// One link into a host and one out of it, which are equal, are its cable to one switch.
  void join_ends_of_lone_cables() {
    for (const auto& [point, its] : passing_of_points()) {
      if (!points_.is_named(point) || its.both_ways || its.in.size() != 1 || its.out.size() != 1) continue;
      const auto& [from, bandwidth, latency] = its.in.front();
      const auto& [to, bandwidth_out, latency_out] = its.out.front();
      if (bandwidth == bandwidth_out && latency == latency_out && !points_.is_named(from) && !points_.is_named(to) &&
          !same(from, to))
        points_.join(from, to);
    }
  }

  /// Routes there and back say of a switch between two others only that links meet, not that it is one switch.
  void join_opposite_points() {
    std::map<std::pair<std::vector<Side>, std::vector<Side>>, std::vector<Point>> alone;
    for (const auto& [point, its] : passing_of_points()) {
      if (points_.is_named(point) || its.both_ways || its.in == its.out || its.in.empty() || its.out.empty()) continue;
      auto& opposite = alone[{its.out, its.in}];
      if (opposite.empty()) {
        alone[{its.in, its.out}].push_back(point);
        continue;
      }
      points_.join(opposite.front(), point);
      opposite.erase(opposite.begin());
    }
  }

  SimgridGraph result() {
    std::map<Point, std::uint32_t> numbers;
    const auto number = [&](Point p) {
      return numbers.try_emplace(points_.find(p), static_cast<std::uint32_t>(numbers.size())).first->second;
    };
    for (const auto& [name, point] : names_) graph_.point_of[name] = number(point);
    std::map<std::tuple<std::uint32_t, std::uint32_t, double, double>, std::vector<std::size_t>> alone;
    for (std::size_t i = 0; i < ends_.size(); ++i) {
      if (!ends_[i].known) continue;
      const SimgridLink& link = elements_.links[i];
      const std::uint32_t from = number(way(i).first), to = number(way(i).second);
      if (taken_[i] == both) {
        graph_.cables.push_back({from, to, i, i});
        graph_.shared += link.shared;
        continue;
      }
      auto& opposite = alone[{to, from, link.bandwidth, link.latency}];
      if (!opposite.empty()) {
        SimgridCable& cable = graph_.cables[opposite.front()];
        cable.back = i;
        cable.one_way = false;
        opposite.erase(opposite.begin());
        continue;
      }
      alone[{from, to, link.bandwidth, link.latency}].push_back(graph_.cables.size());
      graph_.cables.push_back({from, to, i, i, true});
    }
    graph_.points = static_cast<std::uint32_t>(numbers.size());
    return std::move(graph_);
  }

  const SimgridElements& elements_;
  Points points_;
  std::map<std::string, Point> names_;
  std::vector<Ends> ends_;
  std::vector<std::uint8_t> taken_;                           ///< [links] in which directions by the routes kept
  std::vector<std::size_t> placed_;                           ///< links whose ends the route being added has fixed
  std::vector<std::pair<std::size_t, std::uint8_t>> passed_;  ///< links of the route being added, with their directions
  SimgridGraph graph_;
};

}  // namespace

SimgridGraph graph_of(const SimgridElements& elements) { return Builder(elements).build(); }

}  // namespace orrery
