#include "platforms/simgrid_elements.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "sim/core/error.hpp"

namespace orrery {

using config::XmlElement;

namespace {

constexpr std::size_t hosts_max = 1u << 20;

double scale_of(std::string_view prefix, bool& known) {
  constexpr std::pair<std::string_view, double> scales[] = {{"", 1.0},
                                                            {"k", 1e3},
                                                            {"K", 1e3},
                                                            {"M", 1e6},
                                                            {"G", 1e9},
                                                            {"T", 1e12},
                                                            {"P", 1e15},
                                                            {"E", 1e18},
                                                            {"Ki", 1024.0},
                                                            {"Mi", 1048576.0},
                                                            {"Gi", 1024.0 * 1048576.0},
                                                            {"Ti", 1048576.0 * 1048576.0}};
  for (const auto& [name, scale] : scales)
    if (name == prefix) return scale;
  known = false;
  return 1.0;
}

/// A number and the unit behind it.
std::pair<double, std::string_view> split(std::string_view text, const std::string& where, const char* what) {
  double value = 0.0;
  while (text.starts_with(' ')) text.remove_prefix(1);
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (status != std::errc() || !std::isfinite(value) || value < 0.0)
    throw InputError(
        fmt::format("{}: {} is '{}' (a number of at least 0 with its unit). Correct it?", where, what, text));
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  while (unit.ends_with(' ')) unit.remove_suffix(1);
  return {value, unit};
}

void require_positive(double value, const std::string& where, const char* what, const std::string& text) {
  if (!(value > 0.0)) throw InputError(fmt::format("{}: {} is '{}' (more than 0). Correct it?", where, what, text));
}

[[noreturn]] void refuse_unit(const std::string& where, const char* what, const std::string& text, const char* known) {
  throw InputError(
      fmt::format("{}: {} is '{}', of an unknown unit (known: {}). Correct it?", where, what, text, known));
}

}  // namespace

double simgrid_speed(const std::string& text, const std::string& where) {
  const std::string first = text.substr(0, text.find(','));  // the first of several power states
  auto [value, unit] = split(first, where, "the speed");
  bool known = unit.empty() || unit.ends_with('f') || unit.ends_with("flops");
  if (unit.ends_with("flops"))
    unit.remove_suffix(5);
  else if (unit.ends_with('f'))
    unit.remove_suffix(1);
  const double scale = scale_of(unit, known);
  if (!known) refuse_unit(where, "the speed", text, "f, kf, Mf, Gf, Tf, Pf, Ef");
  require_positive(value, where, "the speed", text);
  return value * scale;
}

double simgrid_bandwidth(const std::string& text, const std::string& where) {
  auto [value, unit] = split(text, where, "the bandwidth");
  const bool bits = unit.ends_with("bps");
  bool known = unit.empty() || bits || unit.ends_with("Bps");
  if (!unit.empty() && known) unit.remove_suffix(3);
  const double scale = scale_of(unit, known);
  if (!known) refuse_unit(where, "the bandwidth", text, "Bps, kBps, MBps, GBps, bps, kbps, Mbps, Gbps, KiBps ...");
  return value * scale / (bits ? 8.0 : 1.0);
}

double simgrid_time(const std::string& text, const std::string& where) {
  const auto [value, unit] = split(text, where, "the latency");
  constexpr std::pair<std::string_view, double> units[] = {{"", 1.0},    {"s", 1.0},    {"ms", 1e-3}, {"us", 1e-6},
                                                           {"ns", 1e-9}, {"ps", 1e-12}, {"m", 60.0},  {"h", 3600.0}};
  for (const auto& [name, scale] : units)
    if (name == unit) return value * scale;
  refuse_unit(where, "the latency", text, "s, ms, us, ns, ps");
}

SimgridElements::SimgridElements(const XmlElement& platform, std::string of) : file(std::move(of)) {
  if (platform.name != "platform")
    refuse(platform.line,
           fmt::format("the root element is '{}' ('platform' in a SimGrid platform). Is this another file?",
                       platform.name));
  const std::string version = platform.text("version", "?");
  if (!version.starts_with("4"))
    refuse(platform.line,
           fmt::format("version is '{}' (4 and 4.1 are read). Convert it with simgrid_update_xml?", version));
  for (const XmlElement& child : platform.children) element(child, "");
  std::size_t count = hosts.size();
  for (const auto& each : clusters) count += each.hosts.size();
  if (count == 0) refuse(platform.line, "no host (a platform has one or more). Is this a deployment file?");
}

void SimgridElements::refuse(std::uint32_t line, const std::string& problem) const {
  throw InputError(fmt::format("{}:{}: {}", file, line, problem));
}
std::string SimgridElements::where(const XmlElement& element) const { return fmt::format("{}:{}", file, element.line); }
std::string SimgridElements::required(const XmlElement& element, const char* attribute) const {
  const std::string* value = element.find(attribute);
  if (value == nullptr) refuse(element.line, fmt::format("<{}> has no '{}'. Add it?", element.name, attribute));
  return *value;
}
std::string SimgridElements::point(const std::string& name) const {
  const auto router = routers_.find(name);
  return router == routers_.end() ? name : router->second;
}

void SimgridElements::zone(const XmlElement& zone) {
  const std::string name = required(zone, "id"), routing = zone.text("routing", "None");
  constexpr std::string_view statics[] = {"Full", "Floyd", "Dijkstra", "DijkstraCache", "Cluster", "Star", "None"};
  if (std::ranges::find(statics, routing) == std::end(statics))
    refuse(zone.line, fmt::format("zone '{}' has routing '{}' (known: Full, Floyd, Dijkstra, DijkstraCache, Cluster). "
                                  "Replace it by static routes?",
                                  name, routing));
  for (const XmlElement& child : zone.children) element(child, name);
}

void SimgridElements::element(const XmlElement& element, const std::string& zone_name) {
  if (element.name == "zone" || element.name == "AS") return zone(element);
  if (element.name == "host") return host(element);
  if (element.name == "link") return link(element);
  if (element.name == "cluster") return cluster(element);
  if (element.name == "route") return route(element, false);
  if (element.name == "zoneRoute" || element.name == "ASroute") return route(element, true);
  if (element.name == "host_link") return host_link(element, zone_name);
  if (element.name == "router") return;  // a point of the network: it exists by its routes
  if (element.name == "config") {
    for (const XmlElement& child : element.children) {
      if (child.name != "prop") continue;
      properties[child.text("id")] = child.text("value");
      if (child.text("id") == "smpi/bw-factor" || child.text("id") == "network/bandwidth-factor")
        ++notes[fmt::format(
            "<config> '{}' is left out: write it into 'protocol', as 'bandwidth-factor' if calibrated with "
            "SimGrid up to 3.27, as 'wire-efficiency' if with a later one",
            child.text("id"))];
      else if (child.text("id") != detach_property)
        ++notes[fmt::format("<config> '{}' is left out: write it into 'protocol' where it has a meaning",
                            child.text("id").substr(0, 60))];
    }
    return;
  }
  ignored(element);
}

void SimgridElements::ignored(const XmlElement& element) {
  constexpr std::string_view silent[] = {"prop", "argument"};
  if (std::ranges::find(silent, element.name) == std::end(silent))
    ++notes[fmt::format("<{}> elements are left out", element.name)];
}

void SimgridElements::host(const XmlElement& element) {
  SimgridHost host{required(element, "id"), simgrid_speed(required(element, "speed"), where(element))};
  if (!host_names_.insert(host.name).second)
    refuse(element.line, fmt::format("host '{}' appears twice (ids are unique). Rename one?", host.name));
  const double cores = simgrid_speed(element.text("core", "1"), where(element));
  host.cores = static_cast<std::uint32_t>(std::clamp(cores, 1.0, 4096.0));
  if (element.find("availability_file") != nullptr || element.find("state_file") != nullptr)
    ++notes["hosts have profiles of speed or state: left out"];
  if (required(element, "speed").find(',') != std::string::npos)
    ++notes["hosts have several power states: the first is used"];
  speed_note(host.speed, 1);
  if (hosts.size() >= hosts_max)
    refuse(element.line, fmt::format("more than {} hosts (the limit). Is this a cluster?", hosts_max));
  hosts.push_back(std::move(host));
  for (const XmlElement& child : element.children) ignored(child);
}

void SimgridElements::speed_note(double speed, std::size_t count) {
  if (speed < host_speed_min) notes["hosts slower than 1 Mflop/s are taken as 1 Mflop/s, the minimum here"] += count;
}

void SimgridElements::policy_note(const std::string& policy, const char* what) {
  if (policy == "SHARED")
    ++notes[fmt::format("{} are shared by both directions (SHARED): here each direction has the whole bandwidth",
                        what)];
  if (policy == "FATPIPE") ++notes[fmt::format("{} are not shared by flows (FATPIPE): here they are", what)];
  if (policy == "WIFI") ++notes[fmt::format("{} are wireless (WIFI): here they are cables", what)];
}

void SimgridElements::link(const XmlElement& element) {
  const std::string name = required(element, "id");
  const std::string bandwidth = required(element, "bandwidth");
  const std::string policy = element.text("sharing_policy", "SHARED");
  const SimgridLink link{name, simgrid_bandwidth(bandwidth, where(element)),
                         simgrid_time(element.text("latency", "0"), where(element)), policy == "SHARED"};
  require_positive(link.bandwidth, where(element), "the bandwidth", bandwidth);
  if (!link_numbers_.emplace(name, links.size()).second)
    refuse(element.line, fmt::format("link '{}' appears twice (ids are unique). Rename one?", name));
  if (!link.shared) policy_note(policy, "links");  // of one way alone there is nothing to say: simgrid_import.cpp
  if (element.find("bandwidth_file") != nullptr || element.find("latency_file") != nullptr ||
      element.find("state_file") != nullptr)
    ++notes["links have profiles of bandwidth, latency or state: left out"];
  links.push_back(link);
}

std::size_t SimgridElements::link_named(const XmlElement& reference) const {
  const std::string name = required(reference, "id");
  auto found = link_numbers_.find(name);
  // One direction of a split link is called after it: "up" and "down" are the same cable.
  for (const std::string_view suffix : {"_UP", "_DOWN"})
    if (found == link_numbers_.end() && name.ends_with(suffix))
      found = link_numbers_.find(name.substr(0, name.size() - suffix.size()));
  if (found == link_numbers_.end())
    refuse(reference.line, fmt::format("no link '{}' is declared above this line. Is it misspelt?", name));
  return found->second;
}

void SimgridElements::route(const XmlElement& element, bool between_zones) {
  SimgridRoute route;
  route.from = point(required(element, between_zones ? "gw_src" : "src"));
  route.to = point(required(element, between_zones ? "gw_dst" : "dst"));
  route.line = element.line;
  const std::string symmetrical = element.text("symmetrical", "YES");
  route.symmetrical = symmetrical != "NO" && symmetrical != "no";
  if (route.from == route.to && !between_zones) {
    ++notes["routes of a host to itself are left out: ranks of one node talk through its memory"];
    return;
  }
  for (const XmlElement& child : element.children)
    if (child.name == "link_ctn") route.links.push_back(link_named(child));
  routes.push_back(std::move(route));
}

void SimgridElements::host_link(const XmlElement& element, const std::string& zone_name) {
  SimgridRoute route{required(element, "id"), zone_name, {}, element.line, true};
  const std::string up = required(element, "up"), down = required(element, "down");
  const auto found = link_numbers_.find(up);
  if (found == link_numbers_.end())
    refuse(element.line, fmt::format("no link '{}' is declared above this line. Is it misspelt?", up));
  if (up != down) ++notes["host links differ by direction: the uplink is used"];
  route.links.push_back(found->second);
  routes.push_back(std::move(route));
}

}  // namespace orrery
