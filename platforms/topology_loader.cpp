#include "platforms/topology_loader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "platforms/fields.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

using config::Section;
using config::Value;

constexpr std::uint32_t places_max = 1u << 26;

/// Refuses a product of counts that no machine has before anything multiplies it in 32 bits.
void require_size(const ParameterReader& topology, std::uint64_t places, const char* what) {
  if (places > places_max)
    topology.section().refuse(
        "kind", Refusal("{} {} are more than {} (the limit). Use smaller counts?", places, what, places_max));
}

std::uint64_t capped_product(const std::vector<std::uint32_t>& factors) {
  std::uint64_t product = 1;
  for (const auto factor : factors) product = std::min<std::uint64_t>(product * factor, std::uint64_t{places_max} + 1);
  return product;
}

/// Uplinks of a leaf by its taper, of the switches above as many as they have links down.
void taper_tree(const ParameterReader& topology, double link_per_node, FatTreeTopology& tree) {
  if (topology.has("up"))
    topology.section().refuse("taper", "both 'taper' and 'up' say how many uplinks there are. Remove one?");
  const double taper = topology.parameter("taper").number();
  double below = tree.down.front() / (taper * link_per_node);
  tree.up = {1};
  for (std::size_t l = 1; l < tree.down.size(); ++l) {
    const double uplinks = std::round(below), parallel = tree.parallel[l];
    const double parents = std::round(uplinks / parallel);
    if (uplinks < 1.0 || std::abs(uplinks - below) > 1e-9 * below || parents * parallel != uplinks)
      topology.section().refuse(
          "taper", Refusal("'taper' {:g} gives a switch of level {} {:.4g} uplinks, {} to each switch above (whole "
                           "numbers). Choose 'taper' so that it divides 'down', or give 'up' and 'parallel'?",
                           taper, l, below, tree.parallel[l]));
    tree.up.push_back(static_cast<std::uint32_t>(parents));
    below = static_cast<double>(tree.down[l]) * tree.parallel[l];
  }
}

Topology load_fat_tree(const ParameterReader& topology, const TopologyOf& of) {
  FatTreeTopology tree;
  topology.read(fat_tree_fields(), tree);
  if (!topology.has("parallel")) tree.parallel.assign(tree.down.size(), 1);
  const auto& section = topology.section();
  if (tree.down.empty() || tree.down.size() > 8)
    section.refuse("down", Refusal("'down' has {} levels (1..8). Give one number per level?", tree.down.size()));
  if (topology.has("taper") && tree.parallel.size() == tree.down.size())
    taper_tree(topology, of.link_per_node, tree);
  else if (!topology.has("up"))
    section.refuse("up",
                   Refusal("'down' has {} level{} and no 'up' (1 for a node, then the switches above a leaf, above "
                           "those ...). Add 'up: [{}]'?",
                           tree.down.size(), tree.down.size() == 1 ? "" : "s",
                           fmt::join(std::vector<int>(tree.down.size(), 1), ", ")));
  if (tree.up.size() != tree.down.size() || tree.parallel.size() != tree.down.size())
    section.refuse(
        "up",
        Refusal("'down' has {} levels, 'up' {} and 'parallel' {} (they must be equal). Give one number per level?",
                tree.down.size(), tree.up.size(), tree.parallel.size()));
  if (tree.up[0] != 1 || tree.parallel[0] != 1)
    section.refuse("up",
                   Refusal("a node has {0} x {1} links to leaf switches (adapters are places of "
                           "their own, so 1 x 1). Write 1 and 1, and 'adapters: {2}' in the network, or {2} times its "
                           "'bandwidth' where all of them share every message?",
                           tree.up[0], tree.parallel[0], tree.up[0] * tree.parallel[0]));
  require_size(topology, capped_product(tree.down), "places");
  double below = 1.0, ports = 1.0, links = 0.0;  // of level l: places under a switch, switches of one place, links up
  for (std::size_t l = 0; l + 1 < tree.down.size(); ++l) {
    below *= tree.down[l];
    ports *= tree.up[l];
    links += static_cast<double>(capped_product(tree.down)) / below * ports * tree.up[l + 1] * tree.parallel[l + 1];
  }
  require_size(topology, static_cast<std::uint64_t>(std::min(links, 1e18)), "cables");
  return tree;
}

Topology load_torus(const ParameterReader& topology, const TopologyOf&) {
  TorusTopology torus;
  topology.read(torus_fields(), torus);
  if (torus.dimensions.empty() || torus.dimensions.size() > 6)
    topology.section().refuse(
        "dimensions", Refusal("'dimensions' has {} numbers (1..6). Write '[4, 4, 4]'?", torus.dimensions.size()));
  require_size(topology, capped_product(torus.dimensions), "places");
  if (topology.has("wrap") && torus.wrap.size() != torus.dimensions.size())
    topology.section().refuse("wrap", Refusal("'wrap' has {} entries, 'dimensions' {} (one each). Give {}?",
                                              torus.wrap.size(), torus.dimensions.size(), torus.dimensions.size()));
  return torus;
}

/// Groups joined all to all by the global links of some of their switches. `inside`: what their links inside number.
struct GroupedSizes {
  const char *groups, *switches;
  std::uint32_t group_count, switch_count, global_links;
  std::uint64_t places, inside;
};

void require_joined_groups(const ParameterReader& topology, const GroupedSizes& sizes) {
  const std::uint64_t ports = std::uint64_t{sizes.switch_count} * sizes.global_links;
  if (ports + 1 < sizes.group_count)
    topology.section().refuse(
        "global-links",
        Refusal("{0} {1} need {2} global links per {3}, but {4} {5} x {6} give {7} (at least one to each other "
                "{3}). Add global links?",
                sizes.group_count, sizes.groups, sizes.group_count - 1,
                std::string_view(sizes.groups).substr(0, std::string_view(sizes.groups).size() - 1), sizes.switch_count,
                sizes.switches, sizes.global_links, ports));
  require_size(topology, sizes.places, "places");
  require_size(topology, sizes.inside, fmt::format("links inside {}", sizes.groups).c_str());
  require_size(topology, capped_product({sizes.group_count, sizes.switch_count, sizes.global_links}), "global links");
}

Topology load_dragonfly(const ParameterReader& topology, const TopologyOf&) {
  DragonflyTopology fly;
  topology.read(dragonfly_fields(), fly);
  require_joined_groups(topology, {"groups", "routers", fly.groups, fly.routers, fly.global_links,
                                   capped_product({fly.groups, fly.routers, fly.nodes}),
                                   capped_product({fly.groups, fly.routers, fly.routers})});
  return fly;
}

Topology load_dragonfly_plus(const ParameterReader& topology, const TopologyOf&) {
  DragonflyPlusTopology fly;
  topology.read(dragonfly_plus_fields(), fly);
  require_joined_groups(topology, {"cells", "spines", fly.cells, fly.spines, fly.global_links,
                                   capped_product({fly.cells, fly.leaves, fly.nodes}),
                                   capped_product({fly.cells, fly.leaves, fly.spines})});
  return fly;
}

Topology load_star(const ParameterReader& topology, const TopologyOf&) {
  StarTopology star;
  if (!topology.has("backbone")) return star;
  const ParameterReader backbone = topology.inside("backbone");
  backbone.read(backbone_fields(), star.backbone.emplace());
  backbone.finish();
  return star;
}

const TopologyKind& kind_of(const Section& topology) { return topology_kinds()[topology.choice("kind")]; }

}  // namespace

const std::vector<TopologyKind>& topology_kinds() {
  static const std::vector<TopologyKind> kinds{
      {"star", star_keys(), "kind", false, load_star},
      {"fat-tree", fat_tree_fields().mapping().keys, "down", false, load_fat_tree},
      {"torus", torus_fields().mapping().keys, "dimensions", true, load_torus},
      {"dragonfly", dragonfly_fields().mapping().keys, "nodes", false, load_dragonfly},
      {"graph", graph_keys(), "links", true, load_graph},
      {"dragonfly-plus", dragonfly_plus_fields().mapping().keys, "nodes", false, load_dragonfly_plus}};
  return kinds;
}

Topology load_topology(const ParameterReader& topology, const TopologyOf& of) {
  return kind_of(topology.section()).load(topology, of);
}

std::string where_of_places(const ParameterReader& network) {
  const Section topology = network.section().section("topology");
  const TopologyKind& kind = kind_of(topology);
  const std::string size = topology.where(kind.size);
  const auto file_of = [](const std::string& where) { return where.substr(0, where.find(':')); };
  const bool changed = file_of(size) != file_of(network.section().where());
  return kind.holds_nodes || changed || !network.has("adapters") ? size : network.section().where("adapters");
}

}  // namespace orrery
