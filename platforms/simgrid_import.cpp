#include "platforms/simgrid_import.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <memory>
#include <set>

#include "platforms/loader.hpp"
#include "platforms/node_names.hpp"
#include "platforms/routes.hpp"
#include "platforms/simgrid_elements.hpp"
#include "platforms/simgrid_graph.hpp"
#include "platforms/simgrid_network.hpp"
#include "sim/config/files.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

/// Lower case letters, digits and '-', not empty, and none of those in `used`.
std::string plain_name(std::string_view text, std::set<std::string>& used) {
  std::string name;
  for (const char c : text.substr(0, 48)) {
    const char lower = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    const bool plain = (lower >= 'a' && lower <= 'z') || (lower >= '0' && lower <= '9');
    name += plain ? lower : '-';
  }
  while (name.ends_with('-')) name.pop_back();
  if (name.empty()) name = "x";
  std::string candidate = name;
  for (std::uint32_t n = 2; !used.insert(candidate).second; ++n) candidate = fmt::format("{}-{}", name, n);
  return candidate;
}

struct NodeGroup {
  std::string name;
  SimgridHost host;
  std::vector<std::string> hosts;
};

class Writer {
 public:
  explicit Writer(SimgridElements elements) : elements_(std::move(elements)) {}

  ImportedPlatform write(const std::string& name) {
    group_hosts();
    line(
        "# Imported from a SimGrid platform. SimGrid says nothing of memories, overheads and copies: those are "
        "assumed.");
    line("name: {}", name);
    line("source: \"{}, SimGrid platform\"", quotable(elements_.file));
    node_types();
    if (elements_.clusters.size() == 1 && elements_.hosts.empty()) {
      const SimgridNetwork found = cluster_network(elements_, elements_.clusters.front());
      network(found);
      line("    topology: {{{}}}", found.topology);
    } else {
      graph_network();
    }
    note_other_routes();
    ImportedPlatform result{std::move(text_), {}};
    for (const auto& [note, count] : elements_.notes) result.notes.push_back(fmt::format("{} x {}", count, note));
    return result;
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }
  static std::string quotable(const std::string& text) {
    std::string result;
    for (const char c : text) result += c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    return result;
  }

  /// A node type per cluster, and one per speed and number of cores of the other hosts.
  void group_hosts() {
    std::set<std::string> used{"source", "assumed"};
    for (const auto& cluster : elements_.clusters)
      groups_.push_back({plain_name(cluster.name, used), cluster.host, cluster.hosts});
    const std::size_t first = groups_.size();
    bool renumbered = false;
    for (const auto& host : elements_.hosts) {
      const auto same = std::find_if(
          groups_.begin() + static_cast<std::ptrdiff_t>(first), groups_.end(),
          [&](const NodeGroup& group) { return group.host.speed == host.speed && group.host.cores == host.cores; });
      if (same == groups_.end()) {
        groups_.push_back({plain_name(host.name, used), host, {host.name}});
      } else {
        renumbered |= std::next(same) != groups_.end();
        same->hosts.push_back(host.name);
      }
    }
    if (renumbered) ++elements_.notes["hosts are numbered by node type, not in the order of the file"];
  }

  void node_types() {
    double copy = 1e10, latency = 0.0;
    for (const auto& cluster : elements_.clusters)
      if (cluster.loopback_bandwidth > 0.0) copy = cluster.loopback_bandwidth, latency = cluster.loopback_latency;
    line("\nnode-types:");
    for (const auto& group : groups_) {
      line("  {}:\n    count: {}\n    sockets: 1\n    cores-per-socket: {}\n    core-speed: {:.17g}flop/s", group.name,
           group.hosts.size(), group.host.cores, std::max(group.host.speed, host_speed_min));
      if (const std::string names = names_expression(group.hosts); !names.empty()) line("    names: \"{}\"", names);
      line("    memory: {{value: 64GiB, assumed: \"SimGrid does not say\"}}");
      line("    memory-bandwidth: {{value: {:.17g}B/s, assumed: \"no limit beside the loopback\"}}", 1000.0 * copy);
      line("    copy-bandwidth: {{value: {:.17g}B/s, assumed: \"the loopback, one transfer\"}}", copy);
      line("    shared-memory:\n      assumed: \"the loopback, one transfer\"\n      latency: {:.17g}s", latency);
      protocol(6, "[1, 0]");
    }
  }

  void protocol(int indent, const char* copies) {
    const std::string blanks(static_cast<std::size_t>(indent), ' ');
    const double detach = threshold(detach_property, 65536.0);
    line("{}send-overhead: 0s\n{}receive-overhead: 0s\n{}eager: {:.0f}B\n{}handshake: 0\n{}copies: {}", blanks, blanks,
         blanks, detach, blanks, blanks, copies);
  }
  double threshold(const std::string& property, double fallback) const {
    const auto found = elements_.properties.find(property);
    if (found == elements_.properties.end()) return fallback;
    return simgrid_speed(found->second, fmt::format("{}: <config> {}", elements_.file, property));
  }

  void network(const SimgridNetwork& network) {
    line("\nnetworks:\n  network:\n    bandwidth: {:.17g}B/s\n    latency: {:.17g}s",
         std::clamp(network.bandwidth, 1e3, 1e15), network.latency);
    if (network.link_bandwidth > 0.0)
      line("    link-bandwidth: {:.17g}B/s\n    link-latency: {:.17g}s", std::clamp(network.link_bandwidth, 1e3, 1e15),
           network.link_latency);
    line("    protocol:\n      assumed: \"SMPI's defaults: no overheads, the sender waits from 64 KiB on\"");
    protocol(6, "[0, 0]");
  }

  /// Clusters join the graph as switches; hosts sit on the points that routes give them.
  void graph_network() {
    for (const auto& cluster : elements_.clusters)
      if (cluster.topology != "FLAT")
        elements_.refuse(cluster.line,
                         fmt::format("cluster '{}' is a {} among other hosts (only a file with one cluster can have "
                                     "a topology). Import it alone?",
                                     cluster.name, cluster.topology));
    const bool uniform = private_links_are_equal();
    if (!uniform) cables_to_cluster_hosts();
    const SimgridGraph graph = graph_of(elements_);
    if (graph.contradictions > 0)
      elements_.notes["routes contradict the others (a link starts where it has no end) and are left out"] +=
          graph.contradictions;
    if (graph.shared > 0)
      elements_.notes["links are shared by both directions (SHARED): here each direction has the whole bandwidth"] +=
          graph.shared;
    double widest = 0.0;
    for (const auto& link : elements_.links) widest = std::max(widest, link.bandwidth);
    if (uniform)
      network({.bandwidth = elements_.clusters[0].bandwidth, .latency = 2.0 * elements_.clusters[0].latency});
    else
      network({.bandwidth = std::max(4.0 * widest, 1e9)});
    line("    topology:\n      kind: graph\n      switches:");
    for (std::uint32_t p = 0; p < graph.points; ++p) line("        - p{}", p);
    attach(graph);
    cables(graph);
    for (const SimgridRoute* route : graph.kept) checked_.push_back(*route);
  }

  bool private_links_are_equal() const {
    if (elements_.clusters.empty() || !elements_.hosts.empty()) return false;
    return std::ranges::all_of(elements_.clusters, [&](const SimgridCluster& cluster) {
      return cluster.bandwidth == elements_.clusters[0].bandwidth && cluster.latency == elements_.clusters[0].latency;
    });
  }
  void cables_to_cluster_hosts() {
    for (const auto& cluster : elements_.clusters)
      for (const auto& host : cluster.hosts) {
        elements_.routes.push_back({host, cluster.name, {elements_.links.size()}, cluster.line, true});
        elements_.links.push_back({host, cluster.bandwidth, cluster.latency});
      }
  }

  void attach(const SimgridGraph& graph) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> nodes_of;
    std::uint32_t node = 0;
    for (const auto& group : groups_)
      for (const auto& host : group.hosts) {
        auto at = graph.point_of.find(host);
        if (at == graph.point_of.end()) at = graph.point_of.find(cluster_of(host));
        nodes_of[at->second].push_back(node++);
      }
    line("      nodes:");
    for (const auto& [point, nodes] : nodes_of) line("        p{}: [{}]", point, fmt::join(ranges(nodes), ", "));
  }
  const std::string& cluster_of(const std::string& host) const {
    for (const auto& cluster : elements_.clusters)
      if (std::ranges::find(cluster.hosts, host) != cluster.hosts.end()) return cluster.name;
    return host;
  }
  static std::vector<std::string> ranges(const std::vector<std::uint32_t>& numbers) {
    std::vector<std::string> result;
    for (std::size_t i = 0; i < numbers.size();) {
      std::size_t last = i;
      while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
      result.push_back(last == i ? fmt::format("{}", numbers[i]) : fmt::format("{}-{}", numbers[i], numbers[last]));
      i = last + 1;
    }
    return result;
  }

  void cables(const SimgridGraph& graph) {
    bool first = true;
    for (const auto& cable : graph.cables) {
      if (cable.from == cable.to) {  // a loop that routes closed: no message would take it
        loops_.insert({cable.link, cable.back});
        continue;
      }
      if (cable.one_way) ++elements_.notes["links are taken in one direction alone: here each has both directions"];
      cables_.push_back(cable);
      if (first) line("      links:");
      first = false;
      const auto& link = elements_.links[cable.link];
      line("        - {{between: [p{}, p{}], bandwidth: {:.17g}B/s, latency: {:.17g}s}}", cable.from, cable.to,
           std::clamp(link.bandwidth, 1e3, 1e15), link.latency);
    }
  }

  /// Declared routes between hosts beside those that the graph gives.
  void note_other_routes() {
    if (groups_.size() == 1 && elements_.hosts.empty()) return;
    std::map<std::string, NodeId> node_of;
    for (const auto& group : groups_)
      for (const auto& host : group.hosts) node_of.emplace(host, NodeId{static_cast<std::uint32_t>(node_of.size())});
    const Platform platform = load_platform(config::parse_yaml(text_, elements_.file), elements_.file);
    std::unique_ptr<Routes> routes;
    try {
      routes = build_routes(platform, platform.networks.front());
    } catch (const InputError& apart) {
      elements_.refuse(
          1, fmt::format("the routes do not connect all hosts ({}). Is a route or zoneRoute missing?", apart.what()));
    }
    for (const SimgridRoute& route : checked_) {
      const auto from = node_of.find(route.from), to = node_of.find(route.to);
      if (route.private_link || from == node_of.end() || to == node_of.end() || from == to) continue;
      std::vector<std::size_t> links;
      std::ranges::copy_if(route.links, std::back_inserter(links), [&](auto link) { return !loops_.contains(link); });
      note_way(links, links_of(*routes, from->second, to->second));
      if (!route.symmetrical) continue;
      std::ranges::reverse(links);
      note_way(links, links_of(*routes, to->second, from->second));
    }
  }

  /// Links of the file that a message takes on the platform written.
  std::vector<std::size_t> links_of(const Routes& routes, NodeId from, NodeId to) const {
    std::vector<std::size_t> links;
    for (const LinkId id : routes.route(from, to)) {
      if (id < routes.first_cable() || id >= routes.end_of_cables()) continue;
      const std::size_t i = index(id) - index(routes.first_cable());  // a cable is two of them, there and back
      links.push_back(i % 2 == 0 ? cables_[i / 2].link : cables_[i / 2].back);
    }
    return links;
  }

  void note_way(const std::vector<std::size_t>& declared, const std::vector<std::size_t>& taken) {
    if (declared == taken) return;
    const auto latency_of = [&](const std::vector<std::size_t>& links) {
      double latency = 0.0;
      for (const std::size_t link : links) latency += elements_.links[link].latency;
      return latency;
    };
    const double latency = latency_of(declared);
    const bool as_short = taken.size() == declared.size() && std::abs(latency_of(taken) - latency) <= 1e-9 * latency;
    ++elements_.notes[as_short ? "routes take another way of as many links and the same latency: the graph spreads "
                                 "them by their destinations"
                               : "routes take another way: the graph has one with fewer links or less latency"];
  }

  SimgridElements elements_;
  std::vector<SimgridRoute> checked_;
  std::vector<SimgridCable> cables_;  ///< as written
  std::set<std::size_t> loops_;       ///< links that are not
  std::vector<NodeGroup> groups_;
  std::string text_;
};

}  // namespace

namespace {

/// Parameters beyond what a platform file may hold, and networks without a route, are refused now and not when the written
/// file is read: who imports has only the XML to correct.
void require_playable(const ImportedPlatform& imported, const std::string& file) try {
  const Platform platform = load_platform(config::parse_yaml(imported.yaml, "line"), "line");
  for (const Network& network : platform.networks) build_routes(platform, network);
} catch (const InputError& error) {
  const std::string problem = error.what();  // opened by a line of the file that was not written
  throw InputError(
      fmt::format("{}: no platform file can describe this: {}", file, problem.substr(problem.find(": ") + 2)));
}

}  // namespace

ImportedPlatform parse_simgrid_xml(const std::string& text, const std::string& file) {
  std::set<std::string> used;
  const auto slash = file.find_last_of('/');
  std::string stem = slash == std::string::npos ? file : file.substr(slash + 1);
  stem = stem.substr(0, stem.find_last_of('.'));
  ImportedPlatform imported =
      Writer(SimgridElements(config::parse_xml(text, file), file)).write(plain_name(stem, used));
  require_playable(imported, file);
  return imported;
}

ImportedPlatform import_simgrid_xml(const std::string& file) {
  return parse_simgrid_xml(config::read_file(file), file);
}

}  // namespace orrery
