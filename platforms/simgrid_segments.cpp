#include "platforms/simgrid_segments.hpp"

#include <algorithm>

#include "platforms/simgrid_topologies.hpp"

namespace orrery {

namespace {

using PointKind = SimgridPoint::Kind;
using ZoneRouting = SimgridZone::Routing;

class SegmentCollector {
 public:
  explicit SegmentCollector(const SimgridElements& elements)
      : elements_(elements), at_(elements.points.size(), no_point), end_of_route_(elements.points.size(), false) {}

  SimgridSegments collect() {
    mark_ends_of_routes();
    result_.point_of.assign(elements_.hosts.size(), no_point);
    result_.has_adapter.assign(elements_.hosts.size(), false);
    for (const SimgridCluster& cluster : elements_.clusters) adapters(cluster);
    for (const SimgridZone& zone : elements_.zones) {  // before routes that lead to their routers
      if (zone.routing == ZoneRouting::star) star(zone);
      if (zone.routing == ZoneRouting::dragonfly) dragonfly(zone);
    }
    for (const SimgridZone& zone : elements_.zones) routed(zone);
    for (std::uint32_t host = 0; host < elements_.hosts.size(); ++host)
      if (result_.point_of[host] == no_point) result_.point_of[host] = place(elements_.hosts[host].point);
    return std::move(result_);
  }

 private:
  std::uint32_t add(const std::string& name) {
    result_.names.push_back(name);
    return result_.points++;
  }
  std::uint32_t place(std::uint32_t point) {
    if (at_[point] == no_point) at_[point] = add(elements_.points[point].name);
    return at_[point];
  }

  /// Through these a route may lead on, so they have a place of their own.
  void mark_ends_of_routes() {
    const auto mark = [&](const SimgridRoute& route) {
      for (const std::uint32_t end : {route.from, route.to, route.gateway_from, route.gateway_to})
        if (end != no_point) end_of_route_[end] = true;
    };
    for (const SimgridZone& zone : elements_.zones) {
      for (const SimgridRoute& route : zone.routes) mark(route);
      for (const auto& [ends, route] : zone.bypasses) mark(route);
    }
  }
  void adapters(const SimgridCluster& cluster) {
    bool free = true;
    for (std::uint32_t host = cluster.first_host; host < cluster.first_host + cluster.hosts; ++host)
      free = free && !end_of_route_[elements_.hosts[host].point];
    for (std::uint32_t host = cluster.first_host; host < cluster.first_host + cluster.hosts; ++host)
      result_.has_adapter[host] = free;
  }

  /// All that hangs on it without a link of its own is in its middle.
  void star(const SimgridZone& zone) {
    const std::uint32_t middle = add(zone.name);
    if (zone.backbone != no_point) result_.middle[zone.backbone] = middle;
    for (const std::uint32_t point : zone.points) {
      const SimgridPoint& its = elements_.points[point];
      const SimgridSpoke& spoke = zone.spokes[its.number];
      if (its.kind == PointKind::host && result_.has_adapter[its.refers]) {
        result_.point_of[its.refers] = middle;
      } else if (spoke.up.empty() && spoke.down.empty()) {
        at_[point] = middle;
      } else {
        result_.list.push_back({place(point), middle, without(spoke.up, zone.backbone)});
        result_.list.push_back({middle, place(point), without(spoke.down, zone.backbone)});
      }
    }
  }
  static SimgridWay without(SimgridWay way, std::uint32_t link) {
    std::erase(way, link);
    return way;
  }

  void dragonfly(const SimgridZone& zone) {
    const SimgridCluster& cluster = elements_.clusters[zone.cluster];
    std::vector<std::uint32_t> routers;
    const auto router = [&](std::uint32_t number) {
      while (routers.size() <= number) routers.push_back(add(zone.name + "-r" + std::to_string(routers.size())));
      return routers[number];
    };
    for (std::uint32_t i = 0; i < cluster.hosts; ++i)
      result_.point_of[cluster.first_host + i] = router(cluster.ways->router_of(i));
    for (const auto& cable : cluster.ways->cables()) {
      const std::uint32_t back = elements_.links[cable.link].other;
      result_.list.push_back({router(cable.from), router(cable.to), {cable.link}});
      result_.list.push_back({router(cable.to), router(cable.from), {back == no_point ? cable.link : back}});
    }
  }

  void routed(const SimgridZone& zone) {
    for (const SimgridRoute& route : zone.routes) add(route);
    for (const auto& [ends, route] : zone.bypasses) add(route);
  }
  void add(const SimgridRoute& route) {
    const std::uint32_t from = route.gateway_from == no_point ? route.from : route.gateway_from,
                        to = route.gateway_to == no_point ? route.to : route.gateway_to;
    if (from != to) result_.list.push_back({place(from), place(to), route.links});
  }

  const SimgridElements& elements_;
  std::vector<std::uint32_t> at_;  ///< [points of the file]
  std::vector<bool> end_of_route_;
  SimgridSegments result_;
};

}  // namespace

SimgridSegments segments_of(const SimgridElements& elements) { return SegmentCollector(elements).collect(); }

}  // namespace orrery
