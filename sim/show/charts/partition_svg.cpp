#include "sim/show/charts/partition_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "sim/show/charts/svg.hpp"

namespace orrery::show {

namespace {

constexpr double partition_margin = 16.0, partition_header = 34.0, partition_legend_row = 20.0, legend_width = 190.0;
constexpr double shorter_side_min = 0.3;  ///< of the longer one
constexpr std::size_t patterns = 6;       // has no factor in common with the seven colours, so 42 pairs differ

std::string node_name(const PartitionPicture& picture, std::size_t node) {
  return node < picture.node_names.size() ? picture.node_names[node] : fmt::format("node {}", node);
}

/// The strokes of a pattern in an 8 x 8 tile.
const char* strokes(std::size_t pattern) {
  constexpr std::array<const char*, patterns> paths{
      "", "M-2 2L2 -2M0 8L8 0M6 10L10 6", "M-2 6L2 10M0 0L8 8M6 -2L10 2", "M0 4H8", "M4 0V8", "M0 4H8M4 0V8"};
  return paths[pattern];
}

/// Patterns of all nodes used, numbered in the order of `nodes`.
std::string definitions(const std::map<std::size_t, std::size_t>& nodes) {
  std::string svg = "<defs>\n";
  for (const auto& [node, number] : nodes) {
    const auto colour = series_style(number).color;
    svg += fmt::format(
        "<pattern id=\"node{}\" width=\"8\" height=\"8\" patternUnits=\"userSpaceOnUse\">"
        "<rect width=\"8\" height=\"8\" fill=\"{}\" fill-opacity=\"0.38\"/>"
        "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"/></pattern>\n",
        node, colour, strokes(number % patterns), colour);
  }
  return svg + "</defs>\n";
}

/// The rank in the middle of its rectangle on a small plate, so that no pattern runs through the figures.
std::string label(std::size_t rank, double x, double y, double width, double height) {
  const std::string text = std::to_string(rank);
  const double size = std::min({15.0, height * 0.7, width * 1.4 / static_cast<double>(text.size())});
  if (size < 5.0) return {};
  const double plate = size * (0.62 * static_cast<double>(text.size()) + 0.4);
  const double middle = x + width / 2, centre = y + height / 2;
  return fmt::format(
      "<rect class=\"paper\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill-opacity=\"0.85\"/>"
      "<text class=\"text\" x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"middle\">{}</text>",
      svg_number(middle - plate / 2), svg_number(centre - size * 0.65), svg_number(plate), svg_number(size * 1.3),
      svg_number(middle), svg_number(centre + size * 0.36), svg_number(size), text);
}

/// Length of a block in the picture. The shorter side of a long grid, such as rows of a matrix, is drawn longer than it
/// is.
struct CellScale {
  double across = 1.0, down = 1.0;
};

CellScale scale_of(const Partition& partition, double side) {
  const double columns = std::max(1u, partition.columns), rows = std::max(1u, partition.rows);
  const double most = std::max(columns, rows);
  return {side * std::max(columns / most, shorter_side_min) / columns,
          side * std::max(rows / most, shorter_side_min) / rows};
}

std::string cell(const Partition& partition, const Layout& layout, const PartitionPicture& picture, std::size_t rank,
                 const CellScale& scale) {
  const Rectangle& mine = partition.rectangles[rank];
  if (mine.area() == 0) return {};
  const std::size_t node = index(layout.placements[rank].node);
  const double x = partition_margin + mine.x * scale.across, y = partition_header + mine.y * scale.down;
  const double width = mine.width * scale.across, height = mine.height * scale.down;
  const std::string tip = fmt::format("rank {} on {}: {} x {} blocks at column {}, row {}", rank,
                                      node_name(picture, node), mine.width, mine.height, mine.x, mine.y);
  return fmt::format(
             "<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"url(#node{})\" "
             "class=\"edge\"/>",
             xml_escape(tip), svg_number(x), svg_number(y), svg_number(width), svg_number(height), node) +
         label(rank, x, y, width, height) + "</g>\n";
}

std::string legend(const std::map<std::size_t, std::size_t>& nodes, const Layout& layout,
                   const PartitionPicture& picture, double left) {
  std::map<std::size_t, std::size_t> members;
  for (const auto& place : layout.placements) ++members[index(place.node)];
  std::string svg;
  double y = partition_header;
  for (const auto& [node, number] : nodes) {
    svg += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"22\" height=\"14\" fill=\"url(#node{})\" class=\"edge\"/>"
        "<text class=\"text\" x=\"{}\" y=\"{}\">{} <tspan class=\"muted\">{} rank{}</tspan></text>\n",
        svg_number(left), svg_number(y), node, svg_number(left + 30), svg_number(y + 11.5),
        xml_escape(node_name(picture, node)), members[node], members[node] == 1 ? "" : "s");
    y += partition_legend_row;
  }
  return svg;
}

}  // namespace

std::string partition_svg(const Partition& partition, const Layout& layout, const PartitionPicture& picture) {
  std::map<std::size_t, std::size_t> nodes;  // node -> number among those used, by NodeId
  for (const auto& place : layout.placements) nodes.try_emplace(index(place.node), 0);
  std::size_t count = 0;
  for (auto& [node, number] : nodes) number = count++;

  const CellScale scale = scale_of(partition, picture.side);
  const double left = partition_margin + partition.columns * scale.across + partition_margin;
  const double bottom = partition_header +
                        std::max(partition.rows * scale.down, static_cast<double>(nodes.size()) * partition_legend_row);
  std::string svg = svg_open(left + legend_width, bottom + partition_margin, picture.title);
  svg +=
      "<style>.edge{stroke:#1c2330;stroke-width:1}@media (prefers-color-scheme: dark){.edge{stroke:#e6e9ef}}"
      "</style>\n";
  svg += definitions(nodes);
  svg += fmt::format("<text class=\"text\" x=\"{}\" y=\"22\" font-size=\"14\">{}</text>\n",
                     svg_number(partition_margin), xml_escape(picture.title));
  for (std::size_t rank = 0; rank < partition.rectangles.size(); ++rank)
    svg += cell(partition, layout, picture, rank, scale);
  return svg + legend(nodes, layout, picture, left) + "</svg>\n";
}

}  // namespace orrery::show
