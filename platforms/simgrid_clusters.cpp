// <cluster> of SimGrid platforms: many hosts in one element. What hosts draw.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "platforms/simgrid_elements.hpp"
#include "platforms/simgrid_topologies.hpp"
#include "platforms/simgrid_units.hpp"
#include "sim/core/suggest.hpp"

namespace orrery {

using config::XmlElement;

namespace {

constexpr std::size_t cluster_hosts_max = 1u << 20;

/// "0-7,10": numbers and ranges. False when it is none.
bool expanded_radical(std::string_view radical, std::vector<std::uint32_t>& into) {
  while (!radical.empty()) {
    const auto comma = radical.find(',');
    const std::string_view part = radical.substr(0, comma);
    std::uint32_t first = 0, last = 0;
    const char* end = part.data() + part.size();
    auto [rest, status] = std::from_chars(part.data(), end, first);
    last = first;
    if (status != std::errc()) return false;
    if (rest != end && *rest == '-') {
      const auto [behind, bad] = std::from_chars(rest + 1, end, last);
      if (bad != std::errc()) return false;
      rest = behind;
    }
    if (rest != end || last < first || last - first >= cluster_hosts_max ||
        into.size() + (last - first) >= cluster_hosts_max)
      return false;
    for (std::uint32_t i = first; i <= last; ++i) into.push_back(i);
    if (comma == std::string_view::npos) break;
    radical.remove_prefix(comma + 1);
  }
  return !into.empty();
}

/// "95:120:200": idle, with hardly any load, with all cores at work; the one in the middle may be missing.
std::vector<double> watt_numbers(std::string_view text) {
  std::vector<double> numbers;
  while (true) {
    const auto colon = std::min(text.find(':'), text.size());
    std::string_view part = text.substr(0, colon);
    while (part.starts_with(' ')) part.remove_prefix(1);
    while (part.ends_with(' ')) part.remove_suffix(1);
    double value = 0.0;
    const auto [end, status] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (status != std::errc() || end != part.data() + part.size()) return {};
    numbers.push_back(value);
    if (colon == text.size()) return numbers;
    text.remove_prefix(colon + 1);
  }
}

}  // namespace

std::vector<std::uint32_t> SimgridElements::radical(const XmlElement& element) const {
  std::vector<std::uint32_t> numbers;
  if (!expanded_radical(required(element, "radical"), numbers))
    refuse(element.line,
           Refusal("the radical of {} '{}' is '{}' (numbers and ranges, as '0-7,10', at most {}). "
                   "Correct it?",
                   element.name, shown(element.text("id")), shown(element.text("radical")), cluster_hosts_max));
  return numbers;
}

void SimgridElements::host_children(const XmlElement& element, SimgridHostKind& kind, std::size_t state) {
  for (const XmlElement& each : element.children) {
    check_simgrid_words(each, *this);
    if (each.name != "prop") continue;
    const std::string id = required(each, "id");
    if (id == "wattage_per_state" || id == "watt_per_state")
      watts(each, kind, state);
    else if (id != "wattage_off" && id != "watt_off")  // hosts are never off here
      note(fmt::format("property '{}' of hosts is left out", shown(id)), each.line);
  }
}

/// What a host draws in each power state: "idle:all cores" or "idle:hardly any:all cores", joined by commas.
void SimgridElements::watts(const XmlElement& property, SimgridHostKind& kind, std::size_t state) {
  const std::string text = required(property, "value");
  std::size_t begin = 0;
  for (std::size_t i = 0; i < state && begin != std::string::npos; ++i) begin = text.find(',', begin + (i > 0));
  if (begin == std::string::npos)
    refuse(property.line, Refusal("'{}' of host '{}' has no power for its state {} (one for each speed). Add it?",
                                  shown(text), kind.name, state));
  const std::string stated = text.substr(state > 0 ? begin + 1 : 0);
  const std::vector<double> numbers = watt_numbers(std::string_view(stated).substr(0, stated.find(',')));
  if (numbers.size() < 2 || numbers.size() > 3)
    refuse(property.line, Refusal("the power of host '{}' is '{}' (watts as 'idle:all cores' or 'idle:hardly "
                                  "any:all cores'). Correct it?",
                                  kind.name, shown(text)));
  if (numbers.front() < 0.0 || numbers.back() < numbers.front())
    return note("a host draws less at work than idle (wattage_per_state): left out, runs have no energy",
                property.line);
  kind.watts = {numbers.front(), numbers.back()};
  if (numbers.size() == 3 && kind.cores > 1 && numbers[1] != numbers[0])
    note(
        "what a host draws with hardly any load is left out (the middle of wattage_per_state): here each core at work "
        "adds the same",
        property.line);
}

void SimgridElements::cluster(const XmlElement& element, std::uint32_t parent) {
  SimgridCluster cluster;
  cluster.name = required(element, "id");
  cluster.line = element.line;
  cluster.topology = element.text("topology", "FLAT");
  cluster.parameters = element.text("topo_parameters");
  cluster_links(element, cluster);
  const std::vector<std::uint32_t> numbers = radical(element);
  SimgridHostKind kind{.name = cluster.name};
  const std::vector<double> speeds = simgrid_speeds(required(element, "speed"), where(element.line));
  kind.speed = speeds.front();
  if (speeds.size() > 1)
    note("a host has several power states: here it stays in the one that the file starts with (speed, pstate)",
         element.line, numbers.size());
  kind.cores = cores(element);
  speed_note(kind.speed, element.line, numbers.size());
  host_children(element, kind, 0);
  const auto routing = cluster.topology == "FAT_TREE"    ? SimgridZone::Routing::fat_tree
                       : cluster.topology == "TORUS"     ? SimgridZone::Routing::torus
                       : cluster.topology == "DRAGONFLY" ? SimgridZone::Routing::dragonfly
                                                         : SimgridZone::Routing::star;
  if (routing == SimgridZone::Routing::star && cluster.topology != "FLAT")
    refuse(element.line, Refusal("cluster topology '{}' (known: DRAGONFLY, FAT_TREE, FLAT, TORUS). Is it misspelt?",
                                 shown(cluster.topology)));
  cluster.zone = add_zone(element, routing, parent);
  cluster.first_host = static_cast<std::uint32_t>(hosts.size());
  cluster.hosts = static_cast<std::uint32_t>(numbers.size());
  const std::uint32_t at = add_kind(std::move(kind));
  const std::string prefix = element.text("prefix"), suffix = element.text("suffix");
  for (const std::uint32_t number : numbers)
    add_host(element, fmt::format("{}{}{}", prefix, number, suffix), at, cluster.zone);
  cluster.first_link = static_cast<std::uint32_t>(links.size());
  for (const SimgridCluster& before : clusters)
    if (before.topology == "FAT_TREE") cluster.position += before.hosts;
  if (routing == SimgridZone::Routing::star)
    flat_cluster(element, cluster, numbers);
  else
    add_topology_links(*this, cluster);
  zones[cluster.zone].cluster = static_cast<std::uint32_t>(clusters.size());
  zones[cluster.zone].backbone = cluster.backbone;
  clusters.push_back(std::move(cluster));
}

/// Its attributes that say of links.
void SimgridElements::cluster_links(const XmlElement& element, SimgridCluster& cluster) {
  cluster.bandwidth = simgrid_bandwidth(required(element, "bw"), where(element.line));
  cluster.latency = simgrid_time(element.text("lat", "0"), where(element.line));
  const std::string policy = element.text("sharing_policy", "SPLITDUPLEX");
  cluster.split = policy == "SPLITDUPLEX" || policy == "FULLDUPLEX";
  if (!cluster.split && policy != "SHARED" && policy != "FATPIPE")
    refuse(element.line, Refusal("sharing_policy is '{}' (known: SHARED, SPLITDUPLEX, FULLDUPLEX, FATPIPE). "
                                 "Correct it?",
                                 shown(policy)));
  if (policy == "FATPIPE")
    note("a cluster's links are FATPIPE: taken as SHARED, as SimGrid 3.32 takes them", element.line);
  if (const std::string limiter = element.text("limiter_link"); !limiter.empty())
    cluster.limiter = simgrid_bandwidth(limiter, where(element.line));
  const std::string loopback = element.text("loopback_bw"), loopback_latency = element.text("loopback_lat");
  if (loopback.empty() && !loopback_latency.empty())
    refuse(element.line, "'loopback_lat' without 'loopback_bw' (a loopback has both). Add it?");
  if (!loopback.empty())
    cluster.loopback = {simgrid_bandwidth(loopback, where(element.line)),
                        simgrid_time(loopback_latency.empty() ? "0" : loopback_latency, where(element.line))};
  const bool flat = cluster.topology == "FLAT";
  for (const char* attribute : {"bb_bw", "bb_lat", "bb_sharing_policy"})
    if (!flat && element.find(attribute) != nullptr)
      note(fmt::format("'{}' of a cluster that is no star: SimGrid does not use it either", attribute), element.line);
  const std::string bandwidth = element.text("bb_bw"), latency = element.text("bb_lat", "0");
  if (!flat) return;
  if (bandwidth.empty() && simgrid_time(latency, where(element.line)) > 0.0)
    refuse(element.line, "'bb_lat' without 'bb_bw' (a backbone has both). Add it?");
  const std::string sharing = element.text("bb_sharing_policy", "SHARED");
  if (sharing != "SHARED" && sharing != "FATPIPE")
    refuse(element.line, Refusal("bb_sharing_policy is '{}' (SHARED or FATPIPE). Correct it?", shown(sharing)));
  if (!bandwidth.empty())
    cluster.backbone = add_link({.name = cluster.name + "_backbone",
                                 .bandwidth = simgrid_bandwidth(bandwidth, where(element.line)),
                                 .latency = simgrid_time(latency, where(element.line)),
                                 .fatpipe = sharing == "FATPIPE",
                                 .line = element.line});
}

void SimgridElements::flat_cluster(const XmlElement& element, SimgridCluster& cluster,
                                   const std::vector<std::uint32_t>& numbers) {
  std::vector<SimgridSpoke> spokes(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::string name = fmt::format("{}_link_{}", cluster.name, numbers[i]);
    SimgridSpoke& spoke = spokes[i];
    if (cluster.loopback)
      spoke.loopback = {add_link({.name = name + "_loopback",
                                  .bandwidth = cluster.loopback->first,
                                  .latency = cluster.loopback->second,
                                  .fatpipe = true,
                                  .line = element.line})};
    if (cluster.limiter > 0.0)
      spoke.up = {add_link({.name = name + "_limiter", .bandwidth = cluster.limiter, .line = element.line})};
    spoke.down = spoke.up;
    const std::uint32_t own =
        add_link({.name = name, .bandwidth = cluster.bandwidth, .latency = cluster.latency, .line = element.line},
                 cluster.split);
    spoke.up.push_back(own);
    spoke.down.insert(spoke.down.begin(), other_way(own, cluster.split));
    if (cluster.backbone == no_point) continue;
    spoke.up.push_back(cluster.backbone);
    spoke.down.insert(spoke.down.begin(), cluster.backbone);
  }
  const std::string router = element.text("router_id");
  add_point(element,
            router.empty() ? fmt::format("{}{}_router{}", element.text("prefix"), cluster.name, element.text("suffix"))
                           : router,
            SimgridPoint::Kind::router, cluster.zone, 0);
  spokes.emplace_back();
  zones[cluster.zone].spokes = std::move(spokes);
}

}  // namespace orrery
