#include "sim/app/pages/network_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>
#include <vector>

#include "platforms/routes.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/report/svg.hpp"

namespace orrery::app {

namespace {

using report::svg_number;
using report::xml_escape;

struct Cables {
  std::uint32_t count = 0;
  BytesPerSecond bandwidth;  ///< of all together, one way
};

/// What is drawn: the nodes on each switch, the cables between two, the level of each (0: it has nodes).
struct Shape {
  std::vector<std::string> names;
  std::vector<std::vector<std::uint32_t>> nodes_on;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Cables> cables;
  std::vector<std::uint32_t> level;
  std::uint32_t levels = 1;
};

/// Level of a switch: links to the nearest switch with nodes.
void find_levels(Shape& shape) {
  std::vector<std::vector<std::uint32_t>> neighbours(shape.names.size());
  for (const auto& [ends, cables] : shape.cables) {
    neighbours[ends.first].push_back(ends.second);
    neighbours[ends.second].push_back(ends.first);
  }
  constexpr std::uint32_t unknown = 0xffffffffu;
  shape.level.assign(shape.names.size(), unknown);
  std::vector<std::uint32_t> front;
  for (std::uint32_t s = 0; s < shape.names.size(); ++s)
    if (!shape.nodes_on[s].empty()) front.push_back(s);
  for (std::uint32_t level = 0; !front.empty(); ++level) {
    std::vector<std::uint32_t> next;
    for (const auto s : front)
      if (shape.level[s] == unknown) {
        shape.level[s] = level;
        shape.levels = level + 1;
        next.insert(next.end(), neighbours[s].begin(), neighbours[s].end());
      }
    front = std::move(next);
  }
  std::ranges::replace(shape.level, unknown, 0u);
}

Shape shape_of(const Routes& routes) {
  Shape shape;
  const std::uint32_t nodes = routes.nodes();
  for (std::uint32_t s = 0; s < routes.switches(); ++s) shape.names.push_back(routes.switch_name(s));
  shape.nodes_on.resize(routes.switches());
  for (std::uint32_t node = 0; node < nodes; ++node)
    shape.nodes_on[routes.ends(LinkId{node}).second - nodes].push_back(node);
  for (std::uint32_t i = 2 * nodes; i < routes.links(); ++i) {
    const auto [from, to] = routes.ends(LinkId{i});
    if (from > to) continue;  // the other direction of a cable
    Cables& cables = shape.cables[{from - nodes, to - nodes}];
    cables.count += 1;
    cables.bandwidth += routes.figures(LinkId{i}).bandwidth;
  }
  find_levels(shape);
  return shape;
}

struct Point {
  double x = 0.0, y = 0.0;
};

constexpr std::size_t switches_drawn_max = 60;
constexpr double box = 26.0, gap = 4.0, margin = 24.0, header = 64.0, level_height = 96.0;

/// Where everything goes.
struct Placing {
  std::map<std::uint32_t, Point> switches;  ///< those drawn: centres
  std::vector<std::pair<std::uint32_t, Point>> nodes;
  double width = 0.0, height = 0.0;
  std::size_t left_out = 0;
};

Placing in_levels(const Shape& shape) {
  Placing placing;
  std::vector<std::vector<std::uint32_t>> by_level(shape.levels);
  for (std::uint32_t s = 0; s < shape.names.size(); ++s) by_level[shape.level[s]].push_back(s);
  for (auto& level : by_level) {
    placing.left_out += level.size() - std::min(level.size(), switches_drawn_max);
    level.resize(std::min(level.size(), switches_drawn_max));
  }
  std::size_t most_on_switch = 1;
  for (const auto s : by_level[0]) most_on_switch = std::max(most_on_switch, shape.nodes_on[s].size());
  const auto leaves = static_cast<double>(by_level[0].size());
  const auto columns = std::clamp<std::size_t>(static_cast<std::size_t>(std::ceil(32.0 / leaves)), 2,
                                               std::max<std::size_t>(2, most_on_switch));
  const double leaf_width = std::max(static_cast<double>(columns) * (box + gap) + 16.0, 92.0);
  placing.width = std::max(720.0, leaves * leaf_width + 2 * margin);
  const double leaf_y = header + level_height * (shape.levels - 1) + 24.0;
  for (std::uint32_t level = 0; level < shape.levels; ++level)
    for (std::size_t i = 0; i < by_level[level].size(); ++i) {
      const double share = (static_cast<double>(i) + 0.5) / static_cast<double>(by_level[level].size());
      placing.switches[by_level[level][i]] = {margin + share * (placing.width - 2 * margin),
                                              leaf_y - level_height * level};
    }
  const std::size_t rows = (most_on_switch + columns - 1) / columns;
  for (const auto s : by_level[0]) {
    const Point at = placing.switches[s];
    const std::size_t across = std::min(columns, shape.nodes_on[s].size());
    for (std::size_t i = 0; i < shape.nodes_on[s].size(); ++i) {
      const std::size_t column = i % columns, row = i / columns;
      placing.nodes.push_back(
          {shape.nodes_on[s][i],
           {at.x + (static_cast<double>(column) - static_cast<double>(across) / 2 + 0.5) * (box + gap),
            at.y + 62.0 + static_cast<double>(row) * (box + gap)}});
    }
  }
  placing.height = leaf_y + 62.0 + static_cast<double>(rows) * (box + gap);
  return placing;
}

Placing on_a_circle(const Shape& shape) {
  Placing placing;
  const std::size_t drawn = std::min(shape.names.size(), switches_drawn_max);
  placing.left_out = shape.names.size() - drawn;
  const double radius = std::max(150.0, static_cast<double>(drawn) * 16.0);
  std::size_t most = 0;
  for (std::uint32_t s = 0; s < drawn; ++s) most = std::max(most, shape.nodes_on[s].size());
  const double reach = radius + 80.0 + static_cast<double>(std::min<std::size_t>(most, 8)) * (box + gap);
  placing.width = std::max(720.0, 2 * reach + 2 * margin);
  placing.height = header + 2 * reach;
  const Point centre{placing.width / 2, header + reach};
  for (std::uint32_t s = 0; s < drawn; ++s) {
    const double angle = 2 * std::numbers::pi * s / static_cast<double>(drawn) - std::numbers::pi / 2;
    const auto at = [&](double r) { return Point{centre.x + r * std::cos(angle), centre.y + r * std::sin(angle)}; };
    placing.switches[s] = at(radius);
    for (std::size_t i = 0; i < std::min<std::size_t>(shape.nodes_on[s].size(), 8); ++i)
      placing.nodes.push_back({shape.nodes_on[s][i], at(radius + 72.0 + static_cast<double>(i) * (box + gap))});
  }
  return placing;
}

std::string line_svg(Point a, Point b, double width, const std::string& title) {
  return fmt::format("<path class=\"frame\" style=\"stroke-width:{}\" d=\"M{} {}L{} {}\"><title>{}</title></path>\n",
                     svg_number(width), svg_number(a.x), svg_number(a.y), svg_number(b.x), svg_number(b.y),
                     xml_escape(title));
}

std::string box_svg(Point at, double width, double height, std::string_view color, const std::string& text,
                    const std::string& title) {
  return fmt::format(
      "<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{}\" "
      "fill-opacity=\"0.22\" "
      "stroke=\"{}\"/><text class=\"text\" x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"11\">{}</text></g>\n",
      xml_escape(title), svg_number(at.x - width / 2), svg_number(at.y - height / 2), svg_number(width),
      svg_number(height), color, color, svg_number(at.x), svg_number(at.y + 4), xml_escape(text));
}

/// The nodes of each switch in a frame, joined to it by one line for all their NICs.
std::string nics_svg(const Network& network, const Shape& shape, const Placing& placing, const Routes& routes) {
  struct Frame {
    Point least{1e9, 1e9}, most{-1e9, -1e9};
  };
  std::map<std::uint32_t, Frame> frames;
  for (const auto& [node, at] : placing.nodes) {
    Frame& frame = frames[routes.ends(LinkId{node}).second - routes.nodes()];
    frame.least = {std::min(frame.least.x, at.x), std::min(frame.least.y, at.y)};
    frame.most = {std::max(frame.most.x, at.x), std::max(frame.most.y, at.y)};
  }
  std::string svg;
  for (const auto& [s, frame] : frames) {
    const double reach = box / 2 + gap;
    const Point middle{(frame.least.x + frame.most.x) / 2, (frame.least.y + frame.most.y) / 2};
    svg += line_svg(placing.switches.at(s), middle, 1.0,
                    fmt::format("{} NICs of {} each way", shape.nodes_on[s].size(), to_text(network.bandwidth)));
    svg += fmt::format(
        "<rect class=\"paper\" x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\"/><rect class=\"grid\" "
        "x=\"{0}\" y=\"{1}\" width=\"{2}\" height=\"{3}\" rx=\"6\"/>\n",
        svg_number(frame.least.x - reach), svg_number(frame.least.y - reach),
        svg_number(frame.most.x - frame.least.x + 2 * reach), svg_number(frame.most.y - frame.least.y + 2 * reach));
  }
  return svg;
}

std::string node_words(const NodeType& type) {
  std::string text = fmt::format("{} x {} cores", type.sockets, type.cores_per_socket);
  if (!type.gpus.empty()) text += fmt::format(", {} x {}", type.gpus.size(), type.gpus[0].model);
  return text;
}

std::string legend_svg(const Platform& platform, double y) {
  std::string svg;
  for (std::size_t type = 0; type < platform.node_types.size(); ++type, y += 24.0) {
    const auto& color = report::series_style(type).color;
    svg += box_svg({margin + box / 2, y}, box, 16.0, color, "", platform.node_types[type].name);
    svg += fmt::format("<text class=\"text\" x=\"{}\" y=\"{}\">{}: {} nodes, {}</text>\n", svg_number(margin + box + 8),
                       svg_number(y + 4), xml_escape(platform.node_types[type].name), platform.node_counts[type],
                       xml_escape(node_words(platform.node_types[type])));
  }
  return svg;
}

std::string heading_svg(const Platform& platform, const Network& network, const Placing& placing) {
  std::string below = fmt::format("{}: NIC {}, {} between two nodes of a switch", network.technology,
                                  to_text(network.bandwidth), to_text(network.latency));
  if (placing.left_out > 0) below += fmt::format("; {} further switches not drawn", placing.left_out);
  return fmt::format(
      "<text class=\"text\" x=\"{0}\" y=\"28\" font-size=\"16\" font-weight=\"600\">{1}, {2}</text>\n"
      "<text class=\"muted\" x=\"{0}\" y=\"48\">{3}</text>\n",
      svg_number(margin), xml_escape(platform.name), xml_escape(network.name), xml_escape(below));
}

}  // namespace

std::string network_svg(const Platform& platform, const Network& network) {
  const auto routes = build_routes(platform, network);
  const Shape shape = shape_of(*routes);
  const bool circle = shape.levels == 1 && shape.names.size() > 1;
  const Placing placing = circle ? on_a_circle(shape) : in_levels(shape);
  const double legend = placing.height + 24.0;
  std::string svg = report::svg_open(placing.width, legend + 24.0 * static_cast<double>(platform.node_types.size()),
                                     platform.name + ", " + network.name);
  svg += heading_svg(platform, network, placing);
  for (const auto& [ends, cables] : shape.cables) {
    const auto a = placing.switches.find(ends.first), b = placing.switches.find(ends.second);
    if (a == placing.switches.end() || b == placing.switches.end()) continue;
    svg += line_svg(a->second, b->second, std::min(6.0, 1.0 + 0.5 * (cables.count - 1)),
                    fmt::format("{} - {}: {} cables, {} each way", shape.names[ends.first], shape.names[ends.second],
                                cables.count, to_text(cables.bandwidth)));
  }
  svg += nics_svg(network, shape, placing, *routes);
  for (const auto& [s, at] : placing.switches)
    svg += "<g class=\"text\">" +
           fmt::format("<rect class=\"paper\" x=\"{}\" y=\"{}\" width=\"88\" height=\"24\"/>", svg_number(at.x - 44),
                       svg_number(at.y - 12)) +
           box_svg(at, 88.0, 24.0, "#8a94a6", shape.names[s], shape.names[s]) + "</g>";
  for (const auto& [node, at] : placing.nodes) {
    const std::uint32_t type = platform.type_of(NodeId{node});
    svg += fmt::format("<rect class=\"paper\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                       svg_number(at.x - box / 2), svg_number(at.y - box / 2), svg_number(box), svg_number(box));
    svg += box_svg(
        at, box, box, report::series_style(type).color, std::to_string(node),
        fmt::format("node {}: {}, {}", node, platform.node_types[type].name, node_words(platform.node_types[type])));
  }
  return svg + legend_svg(platform, legend) + "</svg>\n";
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
      const std::uint32_t type = platform.type_of(NodeId{nodes[i]});
      while (end < nodes.size() && nodes[end] == nodes[end - 1] + 1 && platform.type_of(NodeId{nodes[end]}) == type)
        ++end;
      const std::string name =
          end - i == 1 ? fmt::format("node {}", nodes[i]) : fmt::format("nodes {}-{}", nodes[i], nodes[end - 1]);
      dot += fmt::format("  \"{0}\" [label=\"{0}\\n{1}\"];\n  \"{0}\" -- \"{2}\" [label=\"{3} x {4}\"];\n", name,
                         platform.node_types[type].name, shape.names[s], end - i, to_text(network.bandwidth));
      i = end;
    }
  }
  for (const auto& [ends, cables] : shape.cables)
    dot += fmt::format("  \"{}\" -- \"{}\" [label=\"{} x {}\"];\n", shape.names[ends.first], shape.names[ends.second],
                       cables.count, to_text(cables.bandwidth / cables.count));
  return dot + "}\n";
}

}  // namespace orrery::app
