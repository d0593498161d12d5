#include "sim/cli/pages/network_picture.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>
#include <vector>

#include "platforms/network_outline.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/show/charts/network_svg.hpp"

namespace orrery::app {

namespace {

struct Cables {
  std::uint32_t count = 0;
  BytesPerSecond bandwidth;  ///< of all together, one way
};

struct Attached {
  std::uint32_t node = 0, adapters = 0;
};

/// The nodes on each switch and the cables between two.
struct Shape {
  std::vector<std::string> names;
  std::vector<std::vector<Attached>> nodes_on;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Cables> cables;
};

Shape shape_of(const Routes& routes) {
  Shape shape;
  const std::uint32_t adapters = routes.adapters();
  for (std::uint32_t s = 0; s < routes.switches(); ++s) shape.names.push_back(routes.switch_name(s));
  shape.nodes_on.resize(routes.switches());
  for (std::uint32_t i = 0; i < adapters; ++i) {
    auto& nodes = shape.nodes_on[routes.ends(LinkId{i}).second - adapters];
    const auto node = static_cast<std::uint32_t>(index(routes.node_of(AdapterId{i})));
    if (nodes.empty() || nodes.back().node != node) nodes.push_back({node, 0});
    nodes.back().adapters += 1;
  }
  for (auto i = static_cast<std::uint32_t>(index(routes.first_cable())); LinkId{i} < routes.end_of_cables(); ++i) {
    const auto [from, to] = routes.ends(LinkId{i});
    if (from > to) continue;  // the other direction of a cable
    Cables& cables = shape.cables[{from - adapters, to - adapters}];
    cables.count += 1;
    cables.bandwidth += routes.figures(LinkId{i}).bandwidth;
  }
  return shape;
}

}  // namespace

std::string network_svg(const Platform& platform, const Network& network) {
  return report::network_svg(outline_of(platform, network, *build_routes(platform, network)).outline);
}

std::string network_dot(const Platform& platform, const Network& network) {
  const auto routes = build_routes(platform, network);
  const Shape shape = shape_of(*routes);
  std::string dot = fmt::format(
      "graph \"{} {}\" {{\n  graph [rankdir=BT, overlap=false];\n  node [fontname=\"sans-serif\", shape=box];\n",
      platform.name, network.name);
  for (std::size_t s = 0; s < shape.names.size(); ++s) {
    dot += fmt::format("  \"{}\" [style=rounded];\n", shape.names[s]);
    const auto& nodes = shape.nodes_on[s];
    for (std::size_t i = 0; i < nodes.size();) {
      std::size_t end = i + 1;
      const std::uint32_t type = platform.type_of(NodeId{nodes[i].node});
      std::uint32_t adapters = nodes[i].adapters;
      for (; end < nodes.size() && nodes[end].node == nodes[end - 1].node + 1; ++end) {
        if (platform.type_of(NodeId{nodes[end].node}) != type) break;
        adapters += nodes[end].adapters;
      }
      const std::string name = end - i == 1 ? fmt::format("node {}", nodes[i].node)
                                            : fmt::format("nodes {}-{}", nodes[i].node, nodes[end - 1].node);
      dot += fmt::format("  \"{0}\" [label=\"{0}\\n{1}\"];\n  \"{0}\" -- \"{2}\" [label=\"{3} x {4}\"];\n", name,
                         platform.node_types[type].name, shape.names[s], adapters, to_text(network.bandwidth));
      i = end;
    }
  }
  for (const auto& [ends, cables] : shape.cables)
    dot += fmt::format("  \"{}\" -- \"{}\" [label=\"{} x {}\"];\n", shape.names[ends.first], shape.names[ends.second],
                       cables.count, to_text(cables.bandwidth / cables.count));
  return dot + "}\n";
}

}  // namespace orrery::app
