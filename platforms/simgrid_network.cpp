#include "platforms/simgrid_network.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <vector>

namespace orrery {

namespace {

using Lists = std::vector<std::vector<std::uint32_t>>;

/// One "a;b;c" of a cluster's topo_parameters, of numbers with commas.
Lists parameter_lists(const SimgridElements& elements, const SimgridCluster& cluster) {
  Lists lists(1);
  const std::string& text = cluster.parameters;
  const char *at = text.data(), *const end = at + text.size();
  while (at < end) {
    std::uint32_t value = 0;
    const auto [rest, status] = std::from_chars(at, end, value);
    if (status != std::errc() || value > (1u << 20))
      elements.refuse(cluster.line, fmt::format("topo_parameters is '{}' (numbers with ',' and ';'). Correct it?",
                                                text.substr(0, 60)));
    lists.back().push_back(value);
    if (rest == end) break;
    if (*rest == ';') lists.emplace_back();
    if (*rest != ';' && *rest != ',')
      elements.refuse(cluster.line, fmt::format("topo_parameters is '{}' (numbers with ',' and ';'). Correct it?",
                                                text.substr(0, 60)));
    at = rest + 1;
  }
  return lists;
}

/// SimGrid refuses a cluster of more hosts than its topology has places for; so do we, and here the line is known.
void require_places(const SimgridElements& elements, const SimgridCluster& cluster,
                    const std::vector<std::uint32_t>& sizes) {
  double places = 1.0;
  for (const auto size : sizes) places *= size;
  if (places < static_cast<double>(cluster.hosts.size()))
    elements.refuse(cluster.line,
                    fmt::format("cluster '{}' has {} hosts in its 'radical', but topo_parameters '{}' describe a {} of "
                                "{:.0f} (a place for each host). Correct one of them?",
                                cluster.name, cluster.hosts.size(), cluster.parameters, cluster.topology, places));
}

SimgridNetwork fat_tree(SimgridElements& elements, const SimgridCluster& cluster, const Lists& lists) {
  if (lists.size() != 4 || lists[0].size() != 1 || lists[1].size() != lists[0][0] || lists[2].size() != lists[0][0] ||
      lists[3].size() != lists[0][0])
    elements.refuse(cluster.line, fmt::format("the fat tree's topo_parameters are '{}' (levels; children; parents; "
                                              "parallel cables, one number per level). Correct them?",
                                              cluster.parameters));
  if (lists[2][0] != 1 || lists[3][0] != 1)
    elements.refuse(cluster.line,
                    fmt::format("hosts have {} x {} cables to their switches (one here). Describe one rail?",
                                lists[2][0], lists[3][0]));
  require_places(elements, cluster, lists[1]);
  ++elements.notes["fat tree: routes are d-mod-k, SimGrid's choose another of the equal ways up"];
  return {cluster.bandwidth, 2.0 * cluster.latency, cluster.bandwidth, cluster.latency,
          fmt::format("kind: fat-tree, down: [{}], up: [{}], parallel: [{}]", fmt::join(lists[1], ", "),
                      fmt::join(lists[2], ", "), fmt::join(lists[3], ", "))};
}

/// SimGrid's torus has cables between nodes and no NICs: ours are made so wide that they never limit.
SimgridNetwork torus(const SimgridElements& elements, const SimgridCluster& cluster, const Lists& lists) {
  if (lists.size() != 1 || lists[0].empty())
    elements.refuse(cluster.line,
                    fmt::format("the torus's topo_parameters are '{}' (the dimensions, with ','). Correct them?",
                                cluster.parameters));
  require_places(elements, cluster, lists[0]);
  return {cluster.bandwidth * 2.0 * static_cast<double>(lists[0].size()), 0.0, cluster.bandwidth, cluster.latency,
          fmt::format("kind: torus, dimensions: [{}]", fmt::join(lists[0], ", "))};
}

SimgridNetwork dragonfly(SimgridElements& elements, const SimgridCluster& cluster, const Lists& lists) {
  if (lists.size() != 4 || lists[0].size() != 2 || lists[1].size() != 2 || lists[2].size() != 2 || lists[3].size() != 1)
    elements.refuse(cluster.line,
                    fmt::format("the dragonfly's topo_parameters are '{}' (groups, cables; chassis, cables; routers, "
                                "cables; nodes). Correct them?",
                                cluster.parameters));
  const std::uint32_t groups = lists[0][0], chassis = lists[1][0], routers = lists[2][0], nodes = lists[3][0];
  if (chassis != 1 || lists[2][1] != 1)
    elements.refuse(cluster.line,
                    fmt::format("the dragonfly has {} chassis in a group and {} cables between routers (one and one "
                                "here: routers of a group are joined all to all). Write it as zones with routes?",
                                chassis, lists[2][1]));
  require_places(elements, cluster, {groups, routers, nodes});
  const std::uint32_t global =
      std::max(1u, (std::max(groups, 1u) - 1 + routers - 1) / std::max(routers, 1u)) * lists[0][1];
  ++elements.notes
        ["dragonfly: each router has as many global cables as all groups need; SimGrid has one bundle per pair of "
         "groups"];
  return {cluster.bandwidth, 2.0 * cluster.latency, cluster.bandwidth, cluster.latency,
          fmt::format("kind: dragonfly, groups: {}, routers: {}, nodes: {}, global-links: {}", groups, routers, nodes,
                      global)};
}

}  // namespace

SimgridNetwork cluster_network(SimgridElements& elements, const SimgridCluster& cluster) {
  if (cluster.topology == "FLAT")
    return {.bandwidth = cluster.bandwidth, .latency = 2.0 * cluster.latency, .topology = "kind: star"};
  const Lists lists = parameter_lists(elements, cluster);
  if (cluster.limiter > 0.0) ++elements.notes["limiter links of cluster hosts are left out"];
  if (cluster.topology == "FAT_TREE") return fat_tree(elements, cluster, lists);
  if (cluster.topology == "TORUS") return torus(elements, cluster, lists);
  if (cluster.topology == "DRAGONFLY") return dragonfly(elements, cluster, lists);
  elements.refuse(cluster.line,
                  fmt::format("cluster topology '{}' (known: DRAGONFLY, FAT_TREE, FLAT, TORUS). Is it misspelt?",
                              cluster.topology));
}

}  // namespace orrery
