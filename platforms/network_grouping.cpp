#include "platforms/network_grouping.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "platforms/built_network.hpp"

namespace orrery {

namespace {

constexpr std::uint32_t level_max = 40, circle_max = 64, routers_max = 96, torus_max = 512;
constexpr std::uint32_t unknown = 0xffffffffu;

using Switches = std::vector<std::uint32_t>;

/// How many consecutive ones share a place so that no more than `most` places are needed: a power of two.
std::uint32_t together(std::size_t count, std::uint32_t most) {
  std::uint32_t share = 1;
  while (count > std::size_t{most} * share) share *= 2;
  return share;
}

std::string span_words(const Routes& routes, const Switches& of, std::size_t first, std::size_t last) {
  if (last - first == 1) return routes.switch_words(of[first]);
  return fmt::format("{} switches, {} to {}", last - first, routes.switch_words(of[first]),
                     routes.switch_words(of[last - 1]));
}

/// Consecutive ones of `of` share a place.
void add_places(Grouping& grouping, const Routes& routes, const Switches& of, std::uint32_t level, std::uint32_t share,
                const std::function<std::string(std::uint32_t)>& label) {
  for (std::size_t first = 0; first < of.size(); first += share) {
    const std::size_t last = std::min<std::size_t>(of.size(), first + share);
    for (std::size_t i = first; i < last; ++i)
      grouping.place_of[of[i]] = static_cast<std::uint32_t>(grouping.places.size());
    std::string name = label(of[first]);
    if (last - first > 1) name += "-" + label(of[last - 1]);
    grouping.places.push_back({.label = std::move(name),
                               .words = span_words(routes, of, first, last),
                               .switches = static_cast<std::uint32_t>(last - first),
                               .level = level});
  }
}

/// Switches of each level of a tree, leaves first: they are numbered level by level.
std::vector<Switches> tree_levels(const FatTreeTopology& tree) {
  std::vector<Switches> levels;
  std::uint64_t above = 1, parents = 1;
  for (const auto down : tree.down) above *= down;
  std::uint32_t next = 0;
  for (std::size_t l = 0; l < tree.down.size(); ++l) {
    above /= tree.down[l];
    parents *= tree.up[l];
    levels.emplace_back(above * parents);
    for (auto& number : levels.back()) number = next++;
  }
  return levels;
}

/// Of a free graph: by the links to the nearest switch with nodes.
std::vector<Switches> graph_levels(const Routes& routes, const std::vector<std::uint32_t>& switch_of) {
  const std::uint32_t adapters = routes.adapters();
  std::vector<Switches> neighbours(routes.switches());
  for (auto i = static_cast<std::uint32_t>(index(routes.first_cable())); LinkId{i} < routes.end_of_cables(); ++i) {
    const auto [from, to] = routes.ends(LinkId{i});
    neighbours[from - adapters].push_back(to - adapters);
  }
  std::vector<std::uint32_t> level(routes.switches(), unknown);
  Switches front = switch_of;
  for (std::uint32_t l = 0; !front.empty(); ++l) {
    Switches next;
    for (const auto s : front) {
      if (level[s] != unknown) continue;
      level[s] = l;
      next.insert(next.end(), neighbours[s].begin(), neighbours[s].end());
    }
    front = std::move(next);
  }
  std::vector<Switches> levels(1);
  for (std::uint32_t s = 0; s < level.size(); ++s) {
    const std::uint32_t l = level[s] == unknown ? 0 : level[s];
    if (l >= levels.size()) levels.resize(l + 1);
    levels[l].push_back(s);
  }
  return levels;
}

/// Leaf switches of a tree by the rail of their nodes: "r3", "r0-3".
void add_rail_leaves(Grouping& grouping, const Routes& routes, const Switches& leaves,
                     const std::vector<std::uint32_t>& rails, std::uint32_t share) {
  grouping.levels.back() += ", by rail";
  add_places(grouping, routes, leaves, 0, share, [](std::uint32_t s) { return std::to_string(s); });
  for (std::uint32_t p = 0; p < grouping.places.size(); ++p) {
    auto& place = grouping.places[p];
    std::uint32_t first = no_rail, last = 0;
    for (std::uint32_t i = p * share; i < p * share + place.switches; ++i) {
      if (rails[leaves[i]] == no_rail) continue;
      first = std::min(first, rails[leaves[i]]);
      last = std::max(last, rails[leaves[i]]);
    }
    if (first == no_rail || last - first >= place.switches) continue;  // no node is there, or rails that do not follow
    place.label = first == last ? fmt::format("r{}", first) : fmt::format("r{}-{}", first, last);
    place.words += first == last ? fmt::format(", rail {}", first) : fmt::format(", rails {} to {}", first, last);
  }
}

Grouping in_levels(const Routes& routes, const std::vector<Switches>& levels, bool tree,
                   const std::vector<std::uint32_t>& rails = {}) {
  Grouping grouping;
  grouping.place_of.resize(routes.switches());
  for (std::size_t l = 0; l < levels.size(); ++l) {
    const bool top = l + 1 == levels.size();
    if (!tree)
      grouping.levels.push_back(l == 0 ? "switches with nodes" : fmt::format("level {}", l + 1));
    else
      grouping.levels.push_back(l == 0 ? "leaf switches" : top ? "spine switches" : fmt::format("level {}", l + 1));
    const std::uint32_t first = levels[l].empty() ? 0 : levels[l].front(),
                        share = together(levels[l].size(), level_max);
    if (share > 1) grouping.levels.back() += fmt::format(" ({} each)", share);
    if (l == 0 && !rails.empty()) {
      add_rail_leaves(grouping, routes, levels[l], rails, share);
      continue;
    }
    const auto label = [&](std::uint32_t s) { return tree ? std::to_string(s - first) : routes.switch_name(s); };
    add_places(grouping, routes, levels[l], static_cast<std::uint32_t>(l), share, label);
  }
  return grouping;
}

Grouping on_circle(const Routes& routes, std::uint32_t share, const std::function<std::string(std::uint32_t)>& label) {
  Grouping grouping{.form = NetworkForm::circle};
  grouping.place_of.resize(routes.switches());
  Switches all(routes.switches());
  std::iota(all.begin(), all.end(), 0u);
  add_places(grouping, routes, all, 0, share, label);
  return grouping;
}

/// Switches group by group, or whole groups.
Grouping dragonfly(const Routes& routes, const DragonflyTopology& fly, const char* group, const char* routers_name) {
  Grouping grouping{.form = NetworkForm::circle};
  grouping.place_of.resize(routes.switches());
  const bool each = fly.groups * fly.routers <= routers_max;
  const std::uint32_t groups_together = each ? 1 : together(fly.groups, circle_max);
  for (std::uint32_t g = 0; g < fly.groups; g += groups_together) {
    const std::uint32_t last = std::min(fly.groups, g + groups_together);
    Switches routers(std::size_t{last - g} * fly.routers);
    std::iota(routers.begin(), routers.end(), g * fly.routers);
    if (each) {
      grouping.levels.push_back(fmt::format("{} {}", group, g));
      add_places(grouping, routes, routers, g, 1, [&](std::uint32_t s) { return std::to_string(s % fly.routers); });
      continue;
    }
    add_places(grouping, routes, routers, g, static_cast<std::uint32_t>(routers.size()), [](auto) { return ""; });
    const bool one = last - g == 1;
    grouping.places.back().label = one ? std::to_string(g) : fmt::format("{}-{}", g, last - 1);
    grouping.places.back().words =
        one ? fmt::format("{} {} ({} {})", group, g, fly.routers, routers_name)
            : fmt::format("{}s {} to {} ({} {})", group, g, last - 1, routers.size(), routers_name);
  }
  return grouping;
}

/// Routers of a block of equal sides share a place.
Grouping torus(const Routes& routes, const std::vector<std::uint32_t>& sizes) {
  std::vector<std::uint32_t> block(sizes.size(), 1);
  Grouping grouping{.form = NetworkForm::torus, .dimensions = sizes};
  const auto places = [&] {
    return std::accumulate(grouping.dimensions.begin(), grouping.dimensions.end(), std::uint64_t{1},
                           std::multiplies<>{});
  };
  while (places() > torus_max) {
    const auto longest = std::ranges::max_element(grouping.dimensions) - grouping.dimensions.begin();
    const auto d = static_cast<std::size_t>(longest);
    block[d] *= 2;
    grouping.dimensions[d] = (sizes[d] + block[d] - 1) / block[d];
  }
  grouping.places.resize(places());
  std::vector<std::uint32_t> first(places(), unknown), last(places());
  for (std::uint32_t s = 0; s < routes.switches(); ++s) {
    std::uint32_t rest = s, place = 0, stride = 1;
    for (std::size_t d = 0; d < sizes.size(); ++d) {
      place += rest % sizes[d] / block[d] * stride;
      stride *= grouping.dimensions[d];
      rest /= sizes[d];
    }
    grouping.place_of.push_back(place);
    first[place] = std::min(first[place], s);
    last[place] = s;
    grouping.places[place].switches += 1;
  }
  for (std::size_t p = 0; p < grouping.places.size(); ++p) {
    auto& place = grouping.places[p];
    place.switches -= 1;  // a place begins with one
    place.label = std::to_string(first[p]);
    place.words = routes.switch_words(first[p]);
    if (place.switches > 1)
      place.words = fmt::format("{} routers, {} to {}", place.switches, place.words, routes.switch_words(last[p]));
  }
  std::erase(grouping.dimensions, 1u);
  return grouping;
}

}  // namespace

Grouping group_switches(const Network& network, const Routes& routes, const std::vector<std::uint32_t>& switch_of) {
  const auto& topology = network.topology;
  const std::uint32_t circle_share = together(routes.switches(), circle_max);
  if (const auto* tree = std::get_if<FatTreeTopology>(&topology)) {
    const auto levels = tree_levels(*tree);
    return in_levels(routes, levels, true, rails_of(routes));
  }
  if (const auto* fly = std::get_if<DragonflyTopology>(&topology)) return dragonfly(routes, *fly, "group", "routers");
  if (const auto* fly = std::get_if<DragonflyPlusTopology>(&topology))
    return dragonfly(routes, {fly->cells, fly->leaves + fly->spines, fly->nodes, 0}, "cell", "switches");
  if (const auto* grid = std::get_if<TorusTopology>(&topology)) {
    const bool ring = std::ranges::count_if(grid->dimensions, [](auto size) { return size > 1; }) < 2;
    const auto number = [](std::uint32_t s) { return std::to_string(s); };
    return ring ? on_circle(routes, circle_share, number) : torus(routes, grid->dimensions);
  }
  const auto levels = graph_levels(routes, switch_of);
  const bool all_have_nodes = levels.size() == 1 && routes.switches() > 1;
  const auto name = [&](std::uint32_t s) { return routes.switch_name(s); };
  return all_have_nodes ? on_circle(routes, circle_share, name) : in_levels(routes, levels, false);
}

}  // namespace orrery
