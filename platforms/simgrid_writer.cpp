#include "platforms/simgrid_writer.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "platforms/node_names.hpp"
#include "platforms/simgrid_topologies.hpp"

namespace orrery {

namespace {

std::string yaml_quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) result += c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  return result + "\"";
}

const char* sharing_key(bool fatpipe, bool two_ways) {
  return fatpipe ? ", sharing: none" : two_ways ? "" : ", sharing: half-duplex";
}

class PlatformWriter {
 public:
  explicit PlatformWriter(const SimgridText& of) : of_(of) {}

  std::string write(const std::string& name, const std::vector<SimgridStatedRoute>& routes) {
    line("# Imported from a SimGrid platform. SimGrid says nothing of memories and copies: those are assumed.");
    line("name: {}", name);
    line("source: {}", yaml_quoted(of_.elements.file + ", SimGrid platform"));
    line("\nnode-types:");
    for (const SimgridNodes& type : of_.types) node_type(type);
    line("\nnetworks:\n  network:");
    if (of_.graph == nullptr)
      cluster(of_.elements.clusters.front());
    else
      graph(*of_.graph, routes);
    line("    protocol:\n      assumed: {}", yaml_quoted(of_.protocol.assumed));
    for (const std::string& key : of_.protocol.of_network) line("      {}", key);
    return std::move(text_);
  }

 private:
  template <class... Arguments>
  void line(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }

  void node_type(const SimgridNodes& type) {
    const SimgridHostKind& kind = of_.elements.kinds[type.kind];
    line("  {}:\n    count: {}\n    sockets: 1\n    cores-per-socket: {}\n    core-speed: {:.17g}flop/s", type.name,
         type.hosts.size(), kind.cores, std::max(kind.speed, host_speed_min));
    std::vector<std::string> hosts;
    for (const std::uint32_t host : type.hosts) hosts.push_back(of_.elements.hosts[host].name);
    if (const std::string names = names_expression(hosts); !names.empty()) line("    names: {}", yaml_quoted(names));
    const SimgridInside& inside = type.inside;
    const char* what = inside.own_links ? "SimGrid sends what stays on a host over its own links, as fast"
                                        : "the loopback, one transfer";
    line("    memory: {{value: 64GiB, assumed: \"SimGrid does not say\"}}");
    // Messages over its own links share them, those over a loopback share nothing.
    line("    memory-bandwidth: {{value: {:.17g}B/s, assumed: \"{}\"}}",
         inside.own_links ? inside.bandwidth : std::min(1000.0 * inside.bandwidth, 1e15),
         inside.own_links ? what : "no limit beside the loopback");
    line("    copy-bandwidth: {{value: {:.17g}B/s, assumed: \"{}\"}}", inside.bandwidth, what);
    line("    shared-memory:\n      assumed: \"{}\"\n      latency: {:.17g}s", what, inside.latency);
    for (const std::string& key : of_.protocol.of_shared_memory) line("      {}", key);
    if (kind.watts)
      line(
          "    power: {{source: \"wattage_per_state of {}\", idle: {:.17g}W, computing: {:.17g}W, communicating: "
          "{:.17g}W}}",
          kind.name.find_first_of("\"\\{}") == std::string::npos ? kind.name : "the file", kind.watts->first,
          kind.watts->second, kind.watts->first);
  }

  static std::string adapter(const SimgridCluster& cluster) {
    std::string keys =
        fmt::format("bandwidth: {:.17g}B/s\nlatency: {:.17g}s", cluster.bandwidth, 2.0 * cluster.latency);
    if (!cluster.split) keys += "\nsharing: half-duplex";
    if (cluster.limiter > 0.0) keys += fmt::format("\nbidirectional-bandwidth: {:.17g}B/s", cluster.limiter);
    return keys;
  }
  void keys(const std::string& keys) {
    for (std::size_t begin = 0; begin < keys.size();) {
      const std::size_t end = std::min(keys.find('\n', begin), keys.size());
      line("    {}", keys.substr(begin, end - begin));
      begin = end + 1;
    }
  }

  /// The file has one, and nothing else.
  void cluster(const SimgridCluster& cluster) {
    if (cluster.topology == "TORUS") {
      // Cables join its nodes and there are no adapters: ours are so wide that they never limit.
      line(
          "    bandwidth: {:.17g}B/s\n    latency: 0s\n    sharing: none\n    link-bandwidth: {:.17g}B/s\n    "
          "link-latency: {:.17g}s",
          std::min(cluster.bandwidth * 64.0, 1e15), cluster.bandwidth, cluster.latency);
      if (cluster.limiter > 0.0) line("    bidirectional-bandwidth: {:.17g}B/s", cluster.limiter);
    } else {
      keys(adapter(cluster));
    }
    if (cluster.topology == "FAT_TREE")
      line("    link-bandwidth: {:.17g}B/s\n    link-latency: {:.17g}s", cluster.bandwidth, cluster.latency);
    if (cluster.topology != "FLAT") return line("    topology: {{{}}}", cluster.ways->ours());
    if (cluster.backbone == no_point) return line("    topology: {{kind: star}}");
    const SimgridLink& backbone = of_.elements.links[cluster.backbone];
    line("    topology: {{kind: star, backbone: {{bandwidth: {:.17g}B/s, latency: {:.17g}s{}}}}}", backbone.bandwidth,
         backbone.latency, backbone.fatpipe ? ", sharing: none" : "");
  }

  void adapters() {
    const bool same = std::ranges::all_of(of_.types, [&](const SimgridNodes& type) {
      return type.cluster != no_point &&
             adapter(of_.elements.clusters[type.cluster]) == adapter(of_.elements.clusters[of_.types.front().cluster]);
    });
    if (same) return keys(adapter(of_.elements.clusters[of_.types.front().cluster]));
    double widest = 1e9;
    for (const SimgridLink& link : of_.elements.links) widest = std::max(widest, link.bandwidth);
    line("    # Hosts have their links in the topology: adapters without a limit.");
    line("    bandwidth: {:.17g}B/s\n    latency: 0s\n    sharing: none", std::min(widest, 1e15));
    bool first = true;
    for (const SimgridNodes& type : of_.types) {
      if (type.cluster == no_point) continue;
      if (first) line("    nic:");
      first = false;
      std::string keys = adapter(of_.elements.clusters[type.cluster]);
      if (of_.elements.clusters[type.cluster].split) keys += "\nsharing: full-duplex";
      for (std::size_t at = 0; (at = keys.find('\n', at)) != std::string::npos; ++at) keys.replace(at, 1, ", ");
      line("      {}: {{{}}}", type.name, keys);
    }
  }

  void graph(const SimgridGraph& graph, const std::vector<SimgridStatedRoute>& routes) {
    adapters();
    line("    topology:\n      kind: graph");
    const auto name = [&](std::uint32_t place) { return yaml_quoted(graph.name_of(place)); };
    if (!graph.switches.empty()) line("      switches:");
    for (const std::string& each : graph.switches) line("        - {}", yaml_quoted(each));
    if (!graph.media.empty()) line("      media:");
    for (const auto& medium : graph.media) {
      const SimgridLink& link = of_.elements.links[medium.link];
      std::vector<std::string> between;
      for (const std::uint32_t place : medium.between) between.push_back(name(place));
      line("        - {{name: {}, bandwidth: {:.17g}B/s, latency: {:.17g}s{}{}}}", yaml_quoted(medium.name),
           link.bandwidth, link.latency, link.fatpipe ? ", sharing: none" : "",
           between.empty() ? "" : fmt::format(", between: [{}]", fmt::join(between, ", ")));
    }
    if (!graph.cables.empty()) line("      links:");
    for (const auto& cable : graph.cables) {
      const SimgridLink& link = of_.elements.links[cable.there];
      line("        - {{name: {}, between: [{}, {}], bandwidth: {:.17g}B/s, latency: {:.17g}s{}}}",
           yaml_quoted(cable.name), name(cable.from), name(cable.to), link.bandwidth, link.latency,
           sharing_key(link.fatpipe, cable.there != cable.back));
    }
    if (!routes.empty()) line("      routes:");
    for (const auto& route : routes) {
      std::vector<std::string> over;
      for (const std::string& each : route.over) over.push_back(yaml_quoted(each));
      line("        - {{from: {}, to: {}, over: [{}]}}", name(route.from), name(route.to), fmt::join(over, ", "));
    }
    attach(graph);
  }

  void attach(const SimgridGraph& graph) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> nodes_of;
    std::uint32_t node = 0;
    for (const SimgridNodes& type : of_.types)
      for (const std::uint32_t host : type.hosts) nodes_of[graph.place_of[host]].push_back(node++);
    line("      nodes:");
    for (const auto& [place, nodes] : nodes_of)
      line("        {}: [{}]", yaml_quoted(graph.name_of(place)), fmt::join(ranges(nodes), ", "));
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

  const SimgridText& of_;
  std::string text_;
};

}  // namespace

std::string simgrid_yaml(const SimgridText& text, const std::string& name,
                         const std::vector<SimgridStatedRoute>& routes) {
  return PlatformWriter(text).write(name, routes);
}

}  // namespace orrery
