#include "sim/app/pages/node_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "platforms/fabric.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/report/svg.hpp"

namespace orrery::app {

namespace {

using report::svg_number;

constexpr double margin = 20.0, header = 64.0, box_width = 84.0, box_height = 34.0, gap = 14.0, row_height = 110.0,
                 adapter_height = 18.0, legend_line = 22.0;

struct Spot {
  double x = 0.0, y = 0.0;  ///< middle of the box
};

std::string text_svg(double x, double y, const std::string& text, const char* rest) {
  return fmt::format("<text x=\"{}\" y=\"{}\" {}>{}</text>\n", svg_number(x), svg_number(y), rest,
                     report::xml_escape(text));
}

/// The fabric, or what stands for it where a node has none.
Fabric drawn_fabric(const NodeType& type) {
  Fabric fabric = type.fabric;
  if (fabric.described()) return fabric;
  const FabricRoutes routes(type);
  for (std::uint32_t g = 0; g < type.gpus.size(); ++g)
    fabric.cables.push_back({ResourceKind::pcie, routes.home(routes.gpu(g)), routes.gpu(g), type.gpus[g].link_bandwidth,
                             type.gpus[g].link_latency});
  return fabric;
}

/// Sockets, then switches that some cable joins to a socket, GPUs, the other switches.
std::vector<std::vector<std::uint32_t>> rows_of(const NodeType& type, const Fabric& fabric) {
  const auto gpus = static_cast<std::uint32_t>(type.gpus.size());
  const std::uint32_t switches = type.sockets + gpus;
  std::set<std::uint32_t> upper;
  for (const auto& cable : fabric.cables)
    for (const auto& [a, b] : {std::pair{cable.from, cable.to}, std::pair{cable.to, cable.from}})
      if (a < type.sockets && b >= switches) upper.insert(b);
  std::vector<std::vector<std::uint32_t>> rows(4);
  for (std::uint32_t e = 0; e < switches + fabric.switches.size(); ++e)
    rows[e < type.sockets ? 0 : e < switches ? 2 : upper.contains(e) ? 1 : 3].push_back(e);
  std::erase_if(rows, [](const auto& row) { return row.empty(); });
  return rows;
}

std::string cables_svg(const Fabric& fabric, const std::vector<Spot>& spots,
                       const std::map<ResourceKind, std::size_t>& styles) {
  std::string svg;
  for (const auto& cable : fabric.cables) {
    const Spot a = spots[cable.from], b = spots[cable.to];
    const double bend = a.y == b.y ? (a.y < header + box_height ? -34.0 : 0.28 * std::abs(b.x - a.x)) : 0.0;
    const auto style = report::series_style(styles.at(cable.kind));
    svg += fmt::format(
        "<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" d=\"M{} {}Q{} {} {} {}\"><title>{}, {} each way, "
        "{}</title></path>\n",
        style.color, svg_number(a.x), svg_number(a.y), svg_number((a.x + b.x) / 2), svg_number((a.y + b.y) / 2 + bend),
        svg_number(b.x), svg_number(b.y), resource_words(cable.kind).one, to_text(cable.bandwidth),
        to_text(cable.latency));
  }
  return svg;
}

std::string box_svg(Spot at, double width, double height, const std::string& label, const std::string& title) {
  std::string svg = fmt::format(
      "<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" class=\"paper\" "
      "stroke=\"#8a94a6\"/>",
      report::xml_escape(title), svg_number(at.x - width / 2), svg_number(at.y - height / 2), svg_number(width),
      svg_number(height));
  return svg + text_svg(at.x, at.y + 4, label, "text-anchor=\"middle\" class=\"text\" font-size=\"11\"") + "</g>\n";
}

}  // namespace

std::string node_svg(const Platform& platform, std::uint32_t number, const Network& network) {
  const NodeType& type = platform.node_types[number];
  const Fabric fabric = drawn_fabric(type);
  const auto rows = rows_of(type, fabric);
  std::size_t most = 1;
  for (const auto& row : rows) most = std::max(most, row.size());
  const double inner = std::max(480.0, static_cast<double>(most) * (box_width + gap));
  std::vector<Spot> spots(type.sockets + type.gpus.size() + fabric.switches.size());
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t i = 0; i < rows[r].size(); ++i)
      spots[rows[r][i]] = {margin + inner * (static_cast<double>(i) + 0.5) / static_cast<double>(rows[r].size()),
                           header + 50.0 + static_cast<double>(r) * row_height};
  std::map<ResourceKind, std::size_t> styles;
  for (const auto& cable : fabric.cables) styles.try_emplace(cable.kind, styles.size());
  const std::string title = fmt::format("a node '{}' of {}", type.name, platform.name);
  const double legend = header + 50.0 + static_cast<double>(rows.size()) * row_height;
  std::string svg =
      report::svg_open(inner + 2 * margin, legend + legend_line * static_cast<double>(styles.size() + 1), title);
  svg += text_svg(margin, 28, title, "class=\"text\" font-size=\"16\" font-weight=\"600\"");
  const std::uint32_t adapters = network.adapters.of_type(number);
  svg += text_svg(margin, 48,
                  fmt::format("{} x {} cores, {} GPUs; {} {} of {} each way on network '{}'", type.sockets,
                              type.cores_per_socket, type.gpus.size(), adapters, adapters == 1 ? "adapter" : "adapters",
                              to_text(network.bandwidth), network.name),
                  "class=\"muted\"");
  svg += cables_svg(fabric, spots, styles);
  for (std::uint32_t e = 0; e < spots.size(); ++e) {
    const std::string name = element_name(type, e);
    const bool gpu = e >= type.sockets && e < type.sockets + type.gpus.size();
    svg += box_svg(spots[e], box_width, box_height, name, gpu ? type.gpus[e - type.sockets].model : name);
    std::vector<std::uint32_t> here;
    for (std::uint32_t k = 0; k < adapters; ++k)
      if ((network.adapters.at.empty() ? 0 : network.adapters.at[number][k]) == e) here.push_back(k);
    if (here.empty()) continue;
    const std::string label = here.size() == 1 ? fmt::format("adapter {}", here[0])
                                               : fmt::format("adapters {}-{}", here.front(), here.back());
    svg += box_svg({spots[e].x, spots[e].y + box_height / 2 + adapter_height / 2 + 2}, box_width, adapter_height, label,
                   fmt::format("{} on {}, {} each way", label, network.name, to_text(network.bandwidth)));
  }
  double y = legend;
  for (const auto& [kind, style] : styles) {
    svg += fmt::format("<path stroke=\"{}\" stroke-width=\"3\" d=\"M{} {}h26\"/>", report::series_style(style).color,
                       svg_number(margin), svg_number(y));
    svg += text_svg(margin + 34, y + 4, resource_words(kind).all, "class=\"text\"");
    y += legend_line;
  }
  return svg + "</svg>\n";
}

}  // namespace orrery::app
