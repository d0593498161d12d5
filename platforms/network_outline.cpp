#include "platforms/network_outline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "platforms/built_network.hpp"
#include "platforms/network_grouping.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery {

namespace {

constexpr std::size_t cells_max = 1024;

std::string node_words(const NodeType& type, std::uint32_t adapters) {
  std::string text = fmt::format("{} x {} cores", type.sockets, type.cores_per_socket);
  if (!type.gpus.empty()) text += fmt::format(", {} x {}", type.gpus.size(), type.gpus[0].model);
  return adapters > 1 ? text + fmt::format(", {} adapters", adapters) : text;
}

std::string tree_words(const FatTreeTopology& tree, const Network& network, std::uint32_t rails) {
  if (tree.down.size() == 1) return "one switch";
  std::string text = fmt::format("fat tree of {} levels, ", tree.down.size());
  const std::string tapers = taper_text(tree, network);
  text += tapers.empty() ? "no taper" : "taper " + tapers;
  return rails > 0 ? text + ", a leaf switch for each rail" : text;
}

std::string topology_words(const Network& network, std::uint32_t rails) {
  const Topology& topology = network.topology;
  if (const auto* tree = std::get_if<FatTreeTopology>(&topology)) return tree_words(*tree, network, rails);
  if (const auto* fly = std::get_if<DragonflyTopology>(&topology))
    return fmt::format("dragonfly of {} groups of {} routers", fly->groups, fly->routers);
  if (const auto* fly = std::get_if<DragonflyPlusTopology>(&topology))
    return fmt::format("dragonfly+ of {} cells of {} leaves and {} spines", fly->cells, fly->leaves, fly->spines);
  if (const auto* torus = std::get_if<TorusTopology>(&topology)) {
    std::string sizes;
    for (const auto size : torus->dimensions) sizes += fmt::format("{}{}", sizes.empty() ? "" : " x ", size);
    return "torus of " + sizes + " routers";
  }
  if (const auto* graph = std::get_if<GraphTopology>(&topology)) {
    const std::size_t switches = graph->switches.size(), media = graph->media.size();
    const std::string of_switches = fmt::format("{} {}", switches, switches == 1 ? "switch" : "switches");
    if (media == 0) return of_switches;
    const std::string of_media = fmt::format("{} shared {}", media, media == 1 ? "medium" : "media");
    return switches == 0 ? of_media : of_switches + ", " + of_media;
  }
  const auto* star = std::get_if<StarTopology>(&topology);
  return star != nullptr && star->backbone ? "one switch with a backbone" : "one switch";
}

/// "127 nodes of 8 adapters".
std::string nodes_words(std::uint32_t nodes, const Adapters& adapters) {
  std::string text = fmt::format("{} {}", nodes, nodes == 1 ? "node" : "nodes");
  if (adapters.at.empty()) return text;
  const auto [fewest, most] = std::ranges::minmax(adapters.at, {}, [](const auto& of_type) { return of_type.size(); });
  if (most.size() == 1) return text;
  return fewest.size() == most.size() ? fmt::format("{} of {} adapters", text, most.size())
                                      : fmt::format("{} of {} to {} adapters", text, fewest.size(), most.size());
}

/// Runs of nodes of one type on one place, at most `share` nodes each.
std::vector<NetworkOutline::Cell> cells_of(const std::vector<std::uint32_t>& sorted, const Platform& platform,
                                           const Routes& routes, const std::vector<std::uint32_t>& place_of,
                                           std::size_t share) {
  std::vector<NetworkOutline::Cell> cells;
  for (const std::uint32_t adapter : sorted) {
    const auto node = static_cast<std::uint32_t>(index(routes.node_of(AdapterId{adapter})));
    const std::uint32_t place = place_of[adapter], type = platform.type_of(NodeId{node});
    const bool here = !cells.empty() && cells.back().place == place && cells.back().type == type;
    const bool known = here && cells.back().count > 0 && cells.back().last == node;
    if (!known && (!here || cells.back().count == share))
      cells.push_back({.place = place, .first = node, .last = node, .count = 0, .type = type});
    cells.back().last = node;
    cells.back().count += known ? 0 : 1;
    cells.back().adapters += 1;
  }
  return cells;
}

void add_cells(OutlinedNetwork& network, const Platform& platform, const Routes& routes, const Grouping& grouping,
               const std::vector<std::uint32_t>& switch_of) {
  const auto adapters = static_cast<std::uint32_t>(switch_of.size());
  std::vector<std::uint32_t> sorted(adapters), place_of(adapters);
  std::iota(sorted.begin(), sorted.end(), 0u);
  for (std::uint32_t adapter = 0; adapter < adapters; ++adapter)
    place_of[adapter] = grouping.place_of[switch_of[adapter]];
  std::ranges::stable_sort(sorted, {}, [&](std::uint32_t adapter) { return place_of[adapter]; });
  auto& cells = network.outline.cells;
  cells = cells_of(sorted, platform, routes, place_of, 1);
  std::size_t share = 1;
  while (cells.size() > cells_max * share) share *= 2;
  if (share > 1) cells = cells_of(sorted, platform, routes, place_of, share);
  const auto first_slot = static_cast<std::uint32_t>(2 * network.outline.cables.size());
  for (std::size_t c = 0, i = 0; c < cells.size(); ++c)
    for (std::uint32_t k = 0; k < cells[c].adapters; ++k, ++i) {
      const auto slot = first_slot + 2 * static_cast<std::uint32_t>(c);
      network.slot_of_link[sorted[i]] = slot;
      network.slot_of_link[adapters + sorted[i]] = slot + 1;
    }
}

void add_cables(OutlinedNetwork& network, const Routes& routes, const Grouping& grouping) {
  const std::uint32_t adapters = routes.adapters();
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
  auto& cables = network.outline.cables;
  for (auto i = static_cast<std::uint32_t>(index(routes.first_cable())); LinkId{i} < routes.end_of_cables(); ++i) {
    const auto [from, to] = routes.ends(LinkId{i});
    const std::uint32_t a = grouping.place_of[from - adapters], b = grouping.place_of[to - adapters];
    const bool back = a == b ? from > to : a > b;
    const auto [at, fresh] = known.try_emplace(std::minmax(a, b), static_cast<std::uint32_t>(cables.size()));
    if (fresh) cables.push_back({.from = std::min(a, b), .to = std::max(a, b)});
    network.slot_of_link[i] = 2 * at->second + (back ? 1 : 0);
    if (back) continue;
    cables[at->second].count += 1;
    cables[at->second].bandwidth += routes.parameters(LinkId{i}).bandwidth;
  }
}

}  // namespace

std::vector<double> tapers(const FatTreeTopology& tree, const Network& network) {
  const double cable = (network.link_bandwidth.si() > 0.0 ? network.link_bandwidth : network.bandwidth).si();
  std::vector<double> all;
  for (std::size_t l = 1; l < tree.down.size(); ++l) {
    const double below = l == 1 ? network.bandwidth.si() : cable;
    const double down = tree.down[l - 1] * below * tree.parallel[l - 1], up = tree.up[l] * cable * tree.parallel[l];
    all.push_back(down / up);
  }
  return all;
}

std::string taper_text(const FatTreeTopology& tree, const Network& network) {
  const std::vector<double> all = tapers(tree, network);
  if (std::ranges::all_of(all, [](double taper) { return std::abs(taper - 1.0) < 1e-9; })) return "";
  std::string text;
  for (const double taper : all) text += fmt::format("{}{:.3g}:1", text.empty() ? "" : ", ", taper);
  return all.size() > 1 ? text + " (leaves first)" : text;
}

OutlinedNetwork outline_of(const Platform& platform, const Network& network, const Routes& routes) {
  const std::uint32_t nodes = routes.nodes(), adapters = routes.adapters();
  std::vector<std::uint32_t> switch_of(adapters);
  for (std::uint32_t i = 0; i < adapters; ++i) switch_of[i] = routes.ends(LinkId{i}).second - adapters;
  Grouping grouping = group_switches(network, routes, switch_of);
  OutlinedNetwork result;
  NetworkOutline& outline = result.outline;
  for (const std::uint32_t rail : rails_of(routes))
    if (rail != no_rail) outline.rails = std::max(outline.rails, rail + 1);
  outline.title = platform.name + ", " + network.name;
  outline.words = fmt::format("{}, {}; {}: NIC {}, {} between two nodes of a switch",
                              topology_words(network, outline.rails), nodes_words(nodes, network.adapters),
                              network.technology, to_text(network.bandwidth), to_text(network.latency));
  outline.form = grouping.form;
  outline.nic = network.bandwidth;
  outline.nodes = nodes;
  outline.switches = routes.switches();
  for (std::size_t t = 0; t < platform.node_types.size(); ++t)
    outline.kinds.push_back(
        {platform.node_types[t].name,
         node_words(platform.node_types[t], network.adapters.of_type(static_cast<std::uint32_t>(t))),
         platform.node_counts[t]});
  result.slot_of_link.resize(index(routes.end_of_cables()));
  add_cables(result, routes, grouping);
  add_cells(result, platform, routes, grouping, switch_of);
  outline.levels = std::move(grouping.levels);
  outline.dimensions = std::move(grouping.dimensions);
  outline.places = std::move(grouping.places);
  return result;
}

}  // namespace orrery
