// <route>, <zoneRoute> and the bypasses of SimGrid platforms; what a zone of routing Cluster holds.
#include <fmt/format.h>

#include <algorithm>

#include "platforms/simgrid_elements.hpp"
#include "platforms/simgrid_units.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

using config::XmlElement;

std::uint32_t SimgridElements::link_named(const XmlElement& element, const std::string& name) const {
  const auto found = link_numbers_.find(name);
  if (found != link_numbers_.end()) return found->second;
  if (link_numbers_.contains(name + "_UP"))
    refuse(element.line,
           Refusal("link '{0}' has two directions and none is stated (UP or DOWN). Write '{0}_UP'?", shown(name)));
  refuse(element.line, Refusal("no link '{}' is declared above this line. Is it misspelt?", shown(name)));
}

std::uint32_t SimgridElements::point_named(const XmlElement& element, const char* attribute) const {
  const bool of_zone = (element.name != "route" && element.name != "bypassRoute") &&
                       (attribute == std::string_view("src") || attribute == std::string_view("dst"));
  const std::string name = required(element, attribute);
  const auto found = point_numbers_.find((of_zone ? "z" : "p") + name);
  if (found == point_numbers_.end())
    refuse(element.line, Refusal("'{}' is '{}', but no {} of that id is declared above this line. Is it misspelt?",
                                 attribute, shown(name), of_zone ? "zone" : "host or router"));
  return found->second;
}

/// The other way over a link that a route names: of a split-duplex link named with its direction it is the other one.
std::uint32_t SimgridElements::other_way(std::uint32_t link, bool directed) const {
  return directed ? links[link].other : link;
}

SimgridRoute SimgridElements::route_ends(const XmlElement& element, std::uint32_t zone) const {
  SimgridRoute route;
  route.line = element.line;
  route.from = point_named(element, "src");
  route.to = point_named(element, "dst");
  const bool between_zones = element.name != "route" && element.name != "bypassRoute";
  if (between_zones) {
    route.gateway_from = point_named(element, "gw_src");
    route.gateway_to = point_named(element, "gw_dst");
  }
  const auto inside = [&](std::uint32_t point, std::uint32_t of) {
    for (std::uint32_t around = points[point].zone; around != no_point; around = zones[around].parent)
      if (around == of) return true;
    return false;
  };
  const bool bypass = element.name.starts_with("bypass");
  for (const auto& [attribute, end, gateway] :
       {std::tuple{"src", route.from, route.gateway_from}, std::tuple{"dst", route.to, route.gateway_to}}) {
    if (bypass ? !inside(end, zone) : points[end].zone != zone)
      refuse(element.line, Refusal("'{}' is '{}', which is not {} zone '{}' (a route joins what its zone holds). "
                                   "Move the route?",
                                   attribute, points[end].name, bypass ? "in" : "directly in", zones[zone].name));
    if (between_zones && !inside(gateway, points[end].refers))
      refuse(element.line, Refusal("gateway '{}' is not in zone '{}' (a host or router of it). Correct it?",
                                   points[gateway].name, points[end].name));
  }
  return route;
}

SimgridWay SimgridElements::listed_links(const XmlElement& element) const {
  SimgridWay listed;
  for (const XmlElement& each : element.children) {
    if (each.name != "link_ctn")
      refuse(each.line, Refusal("<{}> in <{}> (it holds <link_ctn>). Move it?", shown(each.name), element.name));
    const std::string direction = each.text("direction", "NONE");
    if (direction != "NONE" && direction != "UP" && direction != "DOWN")
      refuse(each.line, Refusal("direction is '{}' (known: UP, DOWN, NONE). Correct it?", shown(direction)));
    listed.push_back(link_named(each, required(each, "id") + (direction == "NONE" ? "" : "_" + direction)));
  }
  return listed;
}

void SimgridElements::add_route(SimgridRoute route, std::uint32_t zone) {
  std::uint64_t key = (std::uint64_t{route.from} << 32) | route.to;
  if (!routed_.insert(key).second)
    refuse(route.line, Refusal("a route from '{}' to '{}' is there already (routes lead both ways unless they say "
                               "symmetrical=\"NO\"). Remove one?",
                               points[route.from].name, points[route.to].name));
  zones[zone].routes.push_back(std::move(route));
}

void SimgridElements::route(const XmlElement& element, std::uint32_t zone) {
  using Routing = SimgridZone::Routing;
  SimgridRoute route = route_ends(element, zone);
  for (const XmlElement& each : element.children) check_simgrid_words(each, *this);
  route.links = listed_links(element);
  const std::string symmetrical = element.text("symmetrical", "YES");
  if (symmetrical != "YES" && symmetrical != "yes" && symmetrical != "NO" && symmetrical != "no")
    refuse(element.line, Refusal("symmetrical is '{}' (YES or NO). Correct it?", shown(symmetrical)));
  if (route.links.empty())
    refuse(element.line, Refusal("the route from '{}' to '{}' has no <link_ctn> (one or more). Add a link?",
                                 points[route.from].name, points[route.to].name));
  if (zones[zone].routing == Routing::none)
    refuse(element.line, Refusal("a route in zone '{}' of routing None. Write routing=\"Full\"?", zones[zone].name));
  if (zones[zone].routing == Routing::star) {
    if (route.from != route.to)
      refuse(element.line, Refusal("a route from '{}' to '{}' in zone '{}' of routing Cluster (its hosts have "
                                   "<host_link>). Write routing=\"Full\"?",
                                   points[route.from].name, points[route.to].name, zones[zone].name));
    zones[zone].spokes.resize(std::max<std::size_t>(zones[zone].spokes.size(), points[route.from].number + 1));
    zones[zone].spokes[points[route.from].number].loopback = route.links;
    return;
  }
  SimgridRoute back = route;
  std::swap(back.from, back.to);
  std::swap(back.gateway_from, back.gateway_to);
  back.links.clear();
  for (std::size_t i = route.links.size(); i-- > 0;) {
    const std::string direction = element.children[i].text("direction", "NONE");
    back.links.push_back(other_way(route.links[i], direction != "NONE"));
  }
  const bool both = (symmetrical == "YES" || symmetrical == "yes") && route.from != route.to;
  add_route(std::move(route), zone);
  if (both) add_route(std::move(back), zone);
}

void SimgridElements::bypass(const XmlElement& element, std::uint32_t zone) {
  SimgridRoute route = route_ends(element, zone);
  for (const XmlElement& each : element.children) check_simgrid_words(each, *this);
  route.links = listed_links(element);
  if (route.links.empty())
    refuse(element.line, Refusal("the bypass from '{}' to '{}' has no <link_ctn> (one or more). Add a link?",
                                 points[route.from].name, points[route.to].name));
  const std::pair ends{route.from, route.to};
  if (zones[zone].bypasses.contains(ends))
    refuse(element.line, Refusal("a bypass from '{}' to '{}' is there already (one each way). Remove one?",
                                 points[route.from].name, points[route.to].name));
  zones[zone].bypasses.emplace(ends, std::move(route));
}

void SimgridElements::star(const XmlElement& element, std::uint32_t zone) {
  std::uint32_t backbone = no_point;
  for (const XmlElement& each : element.children) {
    if (each.name != "backbone") continue;
    if (backbone != no_point)
      refuse(each.line, Refusal("a second <backbone> in zone '{}' (a zone has one). Remove it?", zones[zone].name));
    backbone = add_link({.name = required(each, "id"),
                         .bandwidth = simgrid_bandwidth(required(each, "bandwidth"), where(each.line)),
                         .latency = simgrid_time(required(each, "latency"), where(each.line)),
                         .line = each.line});
  }
  zones[zone].backbone = backbone;
  for (const XmlElement& each : element.children)
    if (each.name == "host_link") host_link(each, zone, backbone);
  for (const XmlElement& each : element.children)
    if (each.name == "cabinet") cabinet(each, zone, backbone);
  zones[zone].spokes.resize(zones[zone].points.size());
}

void SimgridElements::host_link(const XmlElement& element, std::uint32_t zone, std::uint32_t backbone) {
  const std::string name = required(element, "id");
  const auto found = point_numbers_.find("p" + name);
  if (found == point_numbers_.end() || points[found->second].zone != zone)
    refuse(element.line, Refusal("<host_link> of '{}', which is no host of zone '{}'. Is it misspelt?", shown(name),
                                 zones[zone].name));
  const std::uint32_t number = points[found->second].number;
  if (zones[zone].spokes.size() <= number) zones[zone].spokes.resize(number + 1);
  SimgridSpoke& spoke = zones[zone].spokes[number];
  if (!spoke.up.empty())
    refuse(element.line, Refusal("host '{}' has a <host_link> already (one each). Remove it?", shown(name)));
  spoke.up = {link_named(element, required(element, "up"))};
  if (backbone != no_point) {
    spoke.up.push_back(backbone);
    spoke.down.push_back(backbone);
  }
  spoke.down.push_back(link_named(element, required(element, "down")));
}

void SimgridElements::cabinet(const XmlElement& element, std::uint32_t zone, std::uint32_t backbone) {
  const std::string id = required(element, "id");
  const double speed = simgrid_speeds(required(element, "speed"), where(element.line)).front();
  const SimgridLink link{.bandwidth = simgrid_bandwidth(required(element, "bw"), where(element.line)),
                         .latency = simgrid_time(required(element, "lat"), where(element.line)),
                         .line = element.line};
  SimgridHostKind kind{.name = id, .speed = speed};
  const std::vector<std::uint32_t> numbers = radical(element);
  speed_note(speed, element.line, numbers.size());
  const auto same = std::ranges::find(kinds, kind);
  const std::uint32_t at =
      same != kinds.end() ? static_cast<std::uint32_t>(same - kinds.begin()) : add_kind(std::move(kind));
  SimgridCluster cluster;
  cluster.name = id;
  cluster.topology = "FLAT";
  cluster.zone = zone;
  cluster.first_host = static_cast<std::uint32_t>(hosts.size());
  cluster.hosts = static_cast<std::uint32_t>(numbers.size());
  cluster.bandwidth = link.bandwidth;
  cluster.latency = link.latency;
  clusters.push_back(std::move(cluster));
  for (const std::uint32_t number : numbers) {
    const std::string name = fmt::format("{}{}{}", required(element, "prefix"), number, required(element, "suffix"));
    add_host(element, name, at, zone);
    SimgridLink own = link;
    own.name = "link_" + name;
    const std::uint32_t up = add_link(std::move(own), true);
    SimgridSpoke spoke{.up = {up}, .down = {links[up].other}, .loopback = {}};
    if (backbone != no_point) {
      spoke.up.push_back(backbone);
      spoke.down.insert(spoke.down.begin(), backbone);
    }
    zones[zone].spokes.resize(zones[zone].points.size());
    zones[zone].spokes.back() = std::move(spoke);
  }
}

}  // namespace orrery
