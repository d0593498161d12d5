// <cluster> of SimGrid platforms: many hosts in one element.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "platforms/simgrid_elements.hpp"

namespace orrery {

using config::XmlElement;

namespace {

constexpr std::size_t cluster_hosts_max = 1u << 20;

/// "0-7,10": numbers and ranges. False when it is none.
bool expand(std::string_view radical, std::vector<std::uint32_t>& into) {
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

}  // namespace

void SimgridElements::cluster(const XmlElement& element) {
  SimgridCluster cluster;
  cluster.name = required(element, "id");
  cluster.line = element.line;
  const std::string prefix = element.text("prefix"), suffix = element.text("suffix");
  std::vector<std::uint32_t> numbers;
  if (!expand(required(element, "radical"), numbers))
    refuse(element.line,
           fmt::format("the radical of cluster '{}' is '{}' (numbers and ranges, as '0-7,10', at most {}). "
                       "Correct it?",
                       cluster.name, element.text("radical").substr(0, 40), cluster_hosts_max));
  for (const std::uint32_t number : numbers) cluster.hosts.push_back(fmt::format("{}{}{}", prefix, number, suffix));
  cluster.host.name = cluster.name;
  cluster.host.speed = simgrid_speed(required(element, "speed"), where(element));
  cluster.host.cores =
      static_cast<std::uint32_t>(std::clamp(simgrid_speed(element.text("core", "1"), where(element)), 1.0, 4096.0));
  speed_note(cluster.host.speed, numbers.size());
  cluster.bandwidth = simgrid_bandwidth(required(element, "bw"), where(element));
  if (!(cluster.bandwidth > 0.0)) refuse(element.line, "the bandwidth 'bw' is 0 (more than 0). Correct it?");
  cluster.latency = simgrid_time(element.text("lat", "0"), where(element));
  cluster.topology = element.text("topology", "FLAT");
  cluster.parameters = element.text("topo_parameters");
  cluster.limiter = simgrid_bandwidth(element.text("limiter_link", "0"), where(element));
  cluster.loopback_bandwidth = simgrid_bandwidth(element.text("loopback_bw", "0"), where(element));
  cluster.loopback_latency = simgrid_time(element.text("loopback_lat", "0"), where(element));
  policy_note(element.text("sharing_policy", "SPLITDUPLEX"), "links of clusters");
  routers_[element.text("router_id", fmt::format("{}{}_router{}", prefix, cluster.name, suffix))] = cluster.name;
  if (element.find("bb_bw") != nullptr) backbone(element, cluster);
  clusters.push_back(std::move(cluster));
  for (const XmlElement& child : element.children) ignored(child);
}

/// All messages of the cluster cross its backbone. No cable does that between the hosts of one switch, so of the
/// backbone only its latency and the bandwidth that one message gets are kept.
void SimgridElements::backbone(const XmlElement& element, SimgridCluster& cluster) {
  const double bandwidth = simgrid_bandwidth(element.text("bb_bw"), where(element));
  const double latency = simgrid_time(element.text("bb_lat", "0"), where(element));
  cluster.latency += latency / 2.0;
  cluster.bandwidth = std::min(cluster.bandwidth, bandwidth);
  if (element.text("bb_sharing_policy", "SHARED") == "FATPIPE") return;
  ++notes[fmt::format(
      "the backbone of cluster '{}' ({:g} B/s shared by all its messages) is not shared here: its latency and "
      "its bandwidth for one message are kept",
      cluster.name, bandwidth)];
}

}  // namespace orrery
