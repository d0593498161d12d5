#include "platforms/simgrid_nodes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {

namespace {

/// A message from a host to itself takes its loopback, or the way that its zone has.
SimgridInside simgrid_inside_of(const SimgridElements& elements, const SimgridRouting& routing, std::uint32_t host) {
  SimgridWay way;
  if (!routing.way(host, host, way) || way.empty()) return {};
  SimgridInside inside{.bandwidth = 1e300, .latency = 0.0, .own_links = way.size() > 1};
  for (const std::uint32_t link : way) {
    inside.bandwidth = std::min(inside.bandwidth, elements.links[link].bandwidth);
    inside.latency += elements.links[link].latency;
    inside.own_links |= !elements.links[link].fatpipe;
  }
  return inside;
}

std::vector<std::uint32_t> clusters_of_hosts(const SimgridElements& elements) {
  std::vector<std::uint32_t> cluster(elements.hosts.size(), no_point);
  for (std::uint32_t i = 0; i < elements.clusters.size(); ++i)
    for (std::uint32_t host = 0; host < elements.clusters[i].hosts; ++host)
      cluster[elements.clusters[i].first_host + host] = i;
  return cluster;
}

/// Whether the adapters of two clusters, or of none, are alike.
bool same_adapters(const SimgridElements& elements, std::uint32_t a, std::uint32_t b) {
  if (a == b) return true;
  if (a == no_point || b == no_point) return false;
  const SimgridCluster &first = elements.clusters[a], &second = elements.clusters[b];
  return first.bandwidth == second.bandwidth && first.latency == second.latency && first.split == second.split &&
         first.limiter == second.limiter;
}

}  // namespace

std::string plain_simgrid_name(std::string_view text, std::vector<std::string>& used) {
  std::string name;
  for (const char c : text.substr(0, 48)) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool plain = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    name += plain ? lower : '-';
  }
  while (name.ends_with('-')) name.pop_back();
  if (name.empty()) name = "x";
  std::string candidate = name;
  for (std::uint32_t n = 2; std::ranges::find(used, candidate) != used.end(); ++n)
    candidate = fmt::format("{}-{}", name, n);
  used.push_back(candidate);
  return candidate;
}

std::vector<SimgridNodes> node_types_of(SimgridElements& elements, const SimgridRouting& routing,
                                        const std::vector<bool>& has_adapter) {
  const std::vector<std::uint32_t> clusters = clusters_of_hosts(elements);
  std::vector<SimgridNodes> types;
  std::vector<std::string> used{"source", "assumed"};
  bool renumbered = false;
  std::uint64_t implicit = 0, over_links = 0;
  std::uint32_t implicit_line = 0, over_line = 0;
  for (std::uint32_t host = 0; host < elements.hosts.size(); ++host) {
    const SimgridHost& its = elements.hosts[host];
    const SimgridInside inside = simgrid_inside_of(elements, routing, host);
    const std::uint32_t cluster = has_adapter[host] ? clusters[host] : no_point;
    if (inside == SimgridInside{} && implicit++ == 0) implicit_line = its.line;
    if (inside.own_links && over_links++ == 0) over_line = its.line;
    // The last one first: hosts that follow each other are mostly alike.
    const auto same = std::find_if(types.rbegin(), types.rend(), [&](const SimgridNodes& type) {
      return elements.kinds[type.kind] == elements.kinds[its.kind] && type.inside == inside &&
             (elements.kinds[type.kind].name == elements.kinds[its.kind].name || cluster == no_point) &&
             same_adapters(elements, type.cluster, cluster);
    });
    if (same == types.rend()) {
      types.push_back({plain_simgrid_name(elements.kinds[its.kind].name, used), its.kind, cluster, inside, {host}});
    } else {
      renumbered |= same != types.rbegin();
      same->hosts.push_back(host);
    }
  }
  if (renumbered) elements.note("hosts are numbered by node type, not in the order of the file", 1);
  if (implicit > 0)
    elements.note("hosts without a loopback: messages between ranks of one take SimGrid's 10 GB/s and no latency",
                  implicit_line, implicit);
  if (over_links > 0)
    elements.note(
        "messages between ranks of one host take the host's own links in SimGrid: here its memory is as slow, "
        "but shares nothing with messages of other hosts",
        over_line, over_links);
  return types;
}

}  // namespace orrery
