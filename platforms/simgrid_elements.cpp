#include "platforms/simgrid_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "platforms/simgrid_units.hpp"
#include "sim/core/error.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

using config::XmlElement;

namespace {

constexpr std::size_t simgrid_hosts_max = 1u << 20;
constexpr double simgrid_cores_max = 4096.0;

}  // namespace

SimgridElements::SimgridElements(const XmlElement& platform, std::string of) : file(std::move(of)) {
  if (platform.name != "platform")
    refuse(platform.line, Refusal("the root element is '{}' ('platform' in a SimGrid platform). Is this another "
                                  "file?",
                                  shown(platform.name)));
  const std::string version = platform.text("version", "?");
  if (!version.starts_with("4"))
    refuse(platform.line,
           Refusal("version is '{}' (4 and 4.1 are read). Convert it with simgrid_update_xml?", shown(version)));
  check_simgrid_words(platform, *this);
  for (const XmlElement& each : platform.children) child(each, no_point);
  if (hosts.empty()) refuse(platform.line, "no host (a platform has one or more). Is this a deployment file?");
}

void SimgridElements::refuse(std::uint32_t line, const Refusal& problem) const {
  throw InputError("{}: {}", where(line), problem);
}
std::string SimgridElements::where(std::uint32_t line) const { return fmt::format("{}:{}", file, line); }
void SimgridElements::note(const std::string& sentence, std::uint32_t line, std::uint64_t count) {
  SimgridNote& noted = notes.try_emplace(sentence, SimgridNote{0, line}).first->second;
  noted.count += count;
}

std::string SimgridElements::required(const XmlElement& element, const char* attribute) const {
  const std::string* value = element.find(attribute);
  if (value == nullptr) refuse(element.line, Refusal("<{}> has no '{}'. Add it?", element.name, attribute));
  return *value;
}

void SimgridElements::child(const XmlElement& element, std::uint32_t parent) {
  check_simgrid_words(element, *this);
  const auto is = [&](auto... names) { return ((element.name == names) || ...); };
  if (is("zone", "AS")) return zone(element, parent);
  if (is("cluster")) return cluster(element, parent);
  if (is("config")) return config(element);
  if (is("include"))
    refuse(element.line, "<include> (SimGrid has not read it since 3.18). Put the content of that file here?");
  if (is("peer"))
    refuse(element.line, Refusal("<peer> '{}' is a host whose latencies follow from coordinates (routes here are "
                                 "static). Write it as a <host> with routes?",
                                 shown(element.text("id"))));
  const bool inside = is("host", "router", "link", "backbone", "cabinet", "host_link", "route", "zoneRoute", "ASroute",
                         "bypassRoute", "bypassZoneRoute", "bypassASroute");
  if (inside && parent == no_point)
    refuse(element.line, Refusal("<{}> outside a zone (a zone is around all). Put it into one?", element.name));
  if (is("host")) return host(element, parent);
  if (is("router")) return void(add_point(element, required(element, "id"), SimgridPoint::Kind::router, parent, 0));
  if (is("link")) return link(element);
  if (is("route", "zoneRoute", "ASroute")) return route(element, parent);
  if (is("bypassRoute", "bypassZoneRoute", "bypassASroute")) return bypass(element, parent);
  if (is("backbone", "cabinet", "host_link") && zones[parent].routing != SimgridZone::Routing::star)
    refuse(element.line, Refusal("<{}> in zone '{}', whose routing is not 'Cluster' (only such a zone has one). "
                                 "Move it?",
                                 element.name, zones[parent].name));
  for (const XmlElement& each : element.children) check_simgrid_words(each, *this);  // of what is left out
}

void SimgridElements::config(const XmlElement& element) {
  for (const XmlElement& each : element.children) {
    check_simgrid_words(each, *this);
    if (each.name != "prop") refuse(each.line, Refusal("<{}> in <config> (it holds <prop>). Move it?", each.name));
    properties[required(each, "id")] = {required(each, "value"), each.line};
  }
}

void SimgridElements::zone(const XmlElement& element, std::uint32_t parent) {
  using Routing = SimgridZone::Routing;
  constexpr std::pair<std::string_view, Routing> known[] = {
      {"full", Routing::full},         {"floyd", Routing::floyd},
      {"dijkstra", Routing::dijkstra}, {"dijkstracache", Routing::dijkstra},
      {"cluster", Routing::star},      {"none", Routing::none}};
  const std::string name = required(element, "id"), stated = required(element, "routing");
  std::string routing = stated;
  for (char& c : routing) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const auto found = std::ranges::find(known, routing, &std::pair<std::string_view, Routing>::first);
  if (found == std::end(known))
    refuse(element.line, Refusal("zone '{}' has routing '{}' (known: Full, Floyd, Dijkstra, DijkstraCache, "
                                 "Cluster, None). Replace it by static routes?",
                                 shown(name), shown(stated)));
  const std::uint32_t number = add_zone(element, found->second, parent);
  for (const XmlElement& each : element.children) {
    child(each, number);
    if (zones[number].has_zones && each.name == "host")
      refuse(each.line, Refusal("host '{}' beside the zones of zone '{}' (a zone holds hosts or zones). Put it "
                                "into a zone of its own?",
                                shown(each.text("id")), shown(name)));
  }
  if (found->second == Routing::star) star(element, number);
}

std::uint32_t SimgridElements::add_point(const XmlElement& element, std::string name, SimgridPoint::Kind kind,
                                         std::uint32_t zone, std::uint32_t refers) {
  const auto point = static_cast<std::uint32_t>(points.size());
  // Zones have names of their own: some files call a zone as its only host.
  const std::string key = (kind == SimgridPoint::Kind::zone ? "z" : "p") + name;
  if (const auto [there, added] = point_numbers_.try_emplace(key, point); !added)
    refuse(element.line, Refusal("{} '{}' appears twice (ids are unique). Rename one?",
                                 kind == SimgridPoint::Kind::zone   ? "zone"
                                 : kind == SimgridPoint::Kind::host ? "host"
                                                                    : "router",
                                 shown(name)));
  std::uint32_t number = 0;
  if (zone != no_point) {
    number = static_cast<std::uint32_t>(zones[zone].points.size());
    zones[zone].points.push_back(point);
  }
  points.push_back({std::move(name), kind, zone, number, refers});
  return point;
}

std::uint32_t SimgridElements::add_zone(const XmlElement& element, SimgridZone::Routing routing, std::uint32_t parent) {
  const auto number = static_cast<std::uint32_t>(zones.size());
  if (parent == no_point && number > 0)
    refuse(element.line,
           Refusal("'{}' is a second zone at the top, beside '{}' of line {} (one zone is around all). Put both "
                   "into a zone?",
                   shown(element.text("id")), zones[0].name, zones[0].line));
  if (parent != no_point) {
    for (const std::uint32_t point : zones[parent].points)
      if (points[point].kind == SimgridPoint::Kind::host)
        refuse(element.line, Refusal("zone '{}' beside host '{}' (a zone holds hosts or zones). Put the host into "
                                     "a zone of its own?",
                                     shown(element.text("id")), points[point].name));
    zones[parent].has_zones = true;
  }
  SimgridZone zone;
  zone.name = required(element, "id");
  zone.routing = routing;
  zone.parent = parent;
  zone.line = element.line;
  zone.point = add_point(element, zone.name, SimgridPoint::Kind::zone, parent, number);
  zones.push_back(std::move(zone));
  return number;
}

std::uint32_t SimgridElements::cores(const XmlElement& element) const {
  const std::string text = element.text("core", "1");
  const double cores = simgrid_number(text, where(element.line), "the number of cores");
  if (!(cores >= 1.0) || cores > simgrid_cores_max || cores != std::floor(cores))
    refuse(element.line, Refusal("the number of cores is '{}' (a whole number from 1 to {:.0f}). Correct it?",
                                 shown(text), simgrid_cores_max));
  return static_cast<std::uint32_t>(cores);
}

void SimgridElements::add_host(const XmlElement& element, std::string name, std::uint32_t kind, std::uint32_t zone) {
  if (hosts.size() >= simgrid_hosts_max)
    refuse(element.line, Refusal("more than {} hosts (the limit). Import a part of them?", simgrid_hosts_max));
  const auto number = static_cast<std::uint32_t>(hosts.size());
  const std::uint32_t point = add_point(element, name, SimgridPoint::Kind::host, zone, number);
  hosts.push_back({std::move(name), kind, point, element.line});
}

std::uint32_t SimgridElements::add_kind(SimgridHostKind kind) {
  kinds.push_back(std::move(kind));
  return static_cast<std::uint32_t>(kinds.size() - 1);
}

void SimgridElements::host(const XmlElement& element, std::uint32_t zone) {
  SimgridHostKind kind{.name = required(element, "id")};
  const std::vector<double> speeds = simgrid_speeds(required(element, "speed"), where(element.line));
  const std::string state = element.text("pstate", "0");
  const double number = simgrid_number(state.empty() ? "0" : state, where(element.line), "the power state");
  if (number != std::floor(number) || number >= static_cast<double>(speeds.size()))
    refuse(element.line, Refusal("the power state is '{}' (a whole number from 0 to {}, a speed each). Correct it?",
                                 shown(state), speeds.size() - 1));
  const auto index = static_cast<std::size_t>(number);
  kind.speed = speeds[index];
  kind.cores = cores(element);
  if (speeds.size() > 1)
    note("a host has several power states: here it stays in the one that the file starts with (speed, pstate)",
         element.line);
  speed_note(kind.speed, element.line, 1);
  host_children(element, kind, index);
  const std::string name = kind.name;
  const auto same = std::ranges::find(kinds, kind);
  const std::uint32_t at =
      same != kinds.end() ? static_cast<std::uint32_t>(same - kinds.begin()) : add_kind(std::move(kind));
  add_host(element, name, at, zone);
}

void SimgridElements::speed_note(double speed, std::uint32_t line, std::size_t count) {
  if (speed < host_speed_min) note("hosts slower than 1 Mflop/s are taken as 1 Mflop/s, the minimum here", line, count);
}

std::uint32_t SimgridElements::add_link(SimgridLink link) {
  const auto number = static_cast<std::uint32_t>(links.size());
  if (!link_numbers_.emplace(link.name, number).second)
    refuse(link.line, Refusal("link '{}' appears twice (ids are unique). Rename one?", shown(link.name)));
  links.push_back(std::move(link));
  return number;
}

std::uint32_t SimgridElements::add_link(SimgridLink link, bool split) {
  if (!split) return add_link(std::move(link));
  SimgridLink down = link;
  link.name += "_UP";
  down.name += "_DOWN";
  const std::uint32_t up = add_link(std::move(link));
  const std::uint32_t back = add_link(std::move(down));
  links[up].other = back;
  links[back].other = up;
  return up;
}

std::uint32_t add_simgrid_link(SimgridElements& elements, SimgridLink link, bool split) {
  return elements.add_link(std::move(link), split);
}

void SimgridElements::link(const XmlElement& element) {
  const std::string policy = element.text("sharing_policy", "SHARED");
  if (policy == "WIFI")
    refuse(element.line, Refusal("link '{}' is wireless (WIFI), whose bandwidth depends on the host (SHARED, "
                                 "SPLITDUPLEX and FATPIPE are read). Write it as SHARED?",
                                 shown(element.text("id"))));
  const bool split = policy == "SPLITDUPLEX" || policy == "FULLDUPLEX";
  if (!split && policy != "SHARED" && policy != "FATPIPE")
    refuse(element.line, Refusal("sharing_policy is '{}' (known: SHARED, SPLITDUPLEX, FULLDUPLEX, FATPIPE). "
                                 "Correct it?",
                                 shown(policy)));
  for (const XmlElement& each : element.children) {
    check_simgrid_words(each, *this);
    note("properties of links are left out (<prop>): energy of links (wattage_range) is not reckoned", each.line);
  }
  add_link({.name = required(element, "id"),
            .bandwidth = simgrid_bandwidth(required(element, "bandwidth"), where(element.line)),
            .latency = simgrid_time(element.text("latency", "0"), where(element.line)),
            .fatpipe = policy == "FATPIPE",
            .line = element.line},
           split);
}

}  // namespace orrery
