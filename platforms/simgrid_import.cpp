#include "platforms/simgrid_import.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "platforms/loader.hpp"
#include "platforms/simgrid_check.hpp"
#include "platforms/simgrid_stated.hpp"
#include "platforms/simgrid_topologies.hpp"
#include "sim/config/files.hpp"
#include "sim/config/reader.hpp"
#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery {

namespace {

constexpr double link_bandwidth_min = 1e3, link_bandwidth_max = 1e15, link_latency_max = 10.0;  // of a platform file

/// Here the line of the XML is known.
void require_link_range(SimgridElements& elements) {
  for (SimgridLink& link : elements.links) {
    if (link.bandwidth < link_bandwidth_min)
      elements.refuse(link.line,
                      Refusal("the bandwidth of link '{}' is {} (at least {} here). Raise it?", link.name,
                              to_text(BytesPerSecond(link.bandwidth)), to_text(BytesPerSecond(link_bandwidth_min))));
    if (link.latency > link_latency_max)
      elements.refuse(link.line, Refusal("the latency of link '{}' is {} (at most {} here). Lower it?", link.name,
                                         to_text(Seconds(link.latency)), to_text(Seconds(link_latency_max))));
    if (link.bandwidth <= link_bandwidth_max) continue;
    elements.note(
        fmt::format("links of more than {} are taken as of so much", to_text(BytesPerSecond(link_bandwidth_max))),
        link.line);
    link.bandwidth = link_bandwidth_max;
  }
}

/// A file of one cluster has that cluster's topology, where ours is like it.
bool is_one_cluster(const SimgridElements& elements) {
  const SimgridZone& all = elements.zones.front();
  if (all.cluster == no_point) {
    for (const SimgridCluster& cluster : elements.clusters)
      if (cluster.topology == "FAT_TREE" || cluster.topology == "TORUS")
        elements.refuse(cluster.line,
                        Refusal("cluster '{}' is a {} in a zone (a file has one such cluster, and nothing beside "
                                "it). Import it alone?",
                                cluster.name, cluster.topology));
    return false;
  }
  const SimgridCluster& cluster = elements.clusters[all.cluster];
  if (cluster.topology == "FAT_TREE" && cluster.ways->ours().empty())
    elements.refuse(cluster.line, Refusal("hosts of fat tree '{}' have several cables to their switches, by "
                                          "topo_parameters '{}' (one here). Describe one rail?",
                                          cluster.name, cluster.parameters));
  return cluster.topology != "DRAGONFLY";
}

std::string counted(std::uint64_t n, const char* what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

class SimgridImporter {
 public:
  SimgridImporter(SimgridElements elements, const SimgridImport& options)
      : elements_(std::move(elements)), routing_(elements_), options_(options) {}

  ImportedPlatform import(const std::string& name) {
    require_link_range(elements_);
    if (!is_one_cluster(elements_)) {
      graph_ = graph_of(elements_);
      require_joined(elements_, *graph_);
    }
    const std::vector<bool> adapters = graph_ ? graph_->has_adapter : std::vector<bool>(elements_.hosts.size(), true);
    const SimgridProtocol protocol = protocol_of(elements_, options_.smpi_factors);
    const std::vector<SimgridNodes> types = node_types_of(elements_, routing_, adapters);
    node_of_.resize(elements_.hosts.size());
    std::uint32_t node = 0;
    for (const SimgridNodes& type : types)
      for (const std::uint32_t host : type.hosts) node_of_[host] = node++;
    const SimgridText text{elements_, types, protocol, graph_ ? &*graph_ : nullptr};
    result_.yaml = simgrid_yaml(text, name, {});
    build();
    if (graph_) {
      const auto stated = stated_routes_of(elements_, routing_, *graph_, *routes_, node_of_);
      if (!stated.empty()) {
        result_.yaml = simgrid_yaml(text, name, stated);
        build();
      }
    }
    compare();
    for (const auto& [sentence, note] : elements_.notes)
      result_.notes.push_back(note.line > 1 ? fmt::format("{} x {} (first in line {})", note.count, sentence, note.line)
                                            : sentence);
    return std::move(result_);
  }

 private:
  /// What is written is read: a refusal is of a file that nobody has yet.
  void build() try {
    platform_ = load_platform(config::parse_yaml(result_.yaml, "line"), "line");
    routes_ = build_routes(*platform_, platform_->networks.front());
  } catch (const InputError& error) {
    Refusal problem = error.refusal();
    problem.place = fmt::format("{}: no platform file can describe this", elements_.file);
    throw InputError(problem);
  }

  void compare() {
    const SimgridComparison found = compare_ways(elements_, routing_, *routes_, node_of_);
    const auto time = [](double value) { return to_text(Seconds(value)); };
    const auto rate = [](double value) { return to_text(BytesPerSecond(value)); };
    differ(found.latency, "routes have another latency than in the file", time);
    differ(found.bandwidth, "routes have another bandwidth than in the file, for one message alone", rate);
    differ(found.shared, "messages of many at once get another bandwidth than in the file: other links are shared",
           rate);
    if (found.without_route > 0)
      result_.notes.push_back(
          fmt::format("{} of hosts have no route in the file: here they take the shortest way (first "
                      "'{}' to '{}')",
                      counted(found.without_route, "pair"), host(found.route_from), host(found.route_to)));
    if (found.latency.compared > 0)
      result_.checked = fmt::format("{} and {} at once", counted(found.latency.compared, "route"),
                                    counted(found.shared.compared, "message"));
  }
  template <class Text>
  void differ(const SimgridDifference& found, const char* what, const Text& text) {
    if (found.differ == 0) return;
    result_.notes.push_back(
        fmt::format("{} of {} {}, by {} at most ('{}' to '{}': {} in the file, {} here)", found.differ, found.compared,
                    what, std::isfinite(found.factor) ? fmt::format("a factor of {:.3g}", found.factor) : "any factor",
                    host(found.from), host(found.to), text(found.in_file), text(found.built)));
  }
  const std::string& host(std::uint32_t number) const { return elements_.hosts[number].name; }

  SimgridElements elements_;
  SimgridRouting routing_;
  SimgridImport options_;
  std::optional<SimgridGraph> graph_;
  std::vector<std::uint32_t> node_of_;
  std::optional<Platform> platform_;
  std::unique_ptr<Routes> routes_;
  ImportedPlatform result_;
};

}  // namespace

ImportedPlatform parse_simgrid_xml(const std::string& text, const std::string& file, const SimgridImport& options) {
  const auto slash = file.find_last_of('/');
  std::string stem = slash == std::string::npos ? file : file.substr(slash + 1);
  stem = stem.substr(0, stem.find_last_of('.'));
  std::vector<std::string> used;
  return SimgridImporter(SimgridElements(config::parse_xml(text, file), file), options)
      .import(plain_simgrid_name(stem, used));
}

ImportedPlatform import_simgrid_xml(const std::string& file, const SimgridImport& options) {
  return parse_simgrid_xml(config::read_file(file), file, options);
}

}  // namespace orrery
