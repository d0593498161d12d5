#include "sim/cli/pages/node_picture.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "platforms/fabric.hpp"
#include "sim/core/quantity_text.hpp"
#include "sim/show/charts/svg.hpp"

namespace orrery::cli {

namespace {

using show::svg_number;

constexpr double margin = 20.0, header = 64.0, box_width = 84.0, box_height = 34.0, gap = 14.0, row_height = 110.0,
                 adapter_height = 18.0, legend_line = 22.0;

struct Spot {
  double x = 0.0, y = 0.0;  ///< middle of the box
};

std::string text_svg(double x, double y, const std::string& text, const char* rest) {
  return fmt::format("<text x=\"{}\" y=\"{}\" {}>{}</text>\n", svg_number(x), svg_number(y), rest,
                     show::xml_escape(text));
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

/// Of every platform a kind of link has the same colour. Links to GPUs of a node whose inside is not described may be
/// PCI Express, NVLink or Infinity Fabric: they have one of their own.
struct LinkLook {
  std::size_t style = 0;
  const char *one, *all;
};
LinkLook look_of(ResourceKind kind, bool described) {
  if (!described) return {4, "link between CPU and GPU", "links between CPU and GPUs"};
  constexpr ResourceKind kinds[] = {ResourceKind::pcie, ResourceKind::nvlink, ResourceKind::infinity_fabric,
                                    ResourceKind::upi};
  const auto style = static_cast<std::size_t>(std::ranges::find(kinds, kind) - std::begin(kinds));
  return {style, resource_words(kind).one, resource_words(kind).all};
}

/// A cable from one middle of a box to the other; beside each other in an arc.
struct Curve {
  Spot from, bend, to;
  Spot at(double t) const {
    const double a = (1 - t) * (1 - t), b = 2 * t * (1 - t), c = t * t;
    return {a * from.x + b * bend.x + c * to.x, a * from.y + b * bend.y + c * to.y};
  }
};
Curve curve_of(const Fabric::Cable& cable, const std::vector<Spot>& spots) {
  const Spot a = spots[cable.from], b = spots[cable.to];
  const double arc = 34.0 + 0.28 * std::abs(b.x - a.x);
  const double bend = a.y != b.y ? 0.0 : a.y < header + row_height ? std::min(arc, 110.0) : arc;
  return {a, {(a.x + b.x) / 2, (a.y + b.y) / 2 + bend}, b};
}

std::string cables_svg(const Fabric& fabric, const std::vector<Spot>& spots, bool described) {
  std::string svg;
  for (const auto& cable : fabric.cables) {
    const Curve curve = curve_of(cable, spots);
    const LinkLook look = look_of(cable.kind, described);
    svg += fmt::format(
        "<path fill=\"none\" stroke=\"{}\" stroke-width=\"1.6\" d=\"M{} {}Q{} {} {} {}\"><title>{}, {} each way, "
        "{}</title></path>\n",
        show::series_style(look.style).color, svg_number(curve.from.x), svg_number(curve.from.y),
        svg_number(curve.bend.x), svg_number(curve.bend.y), svg_number(curve.to.x), svg_number(curve.to.y), look.one,
        to_text(cable.bandwidth), to_text(cable.latency));
  }
  return svg;
}

/// Where on a cable a text finds room beside boxes and other texts: where cables come together at one box, nearer to
/// their other ends.
class LabelPlaces {
 public:
  static constexpr double half_width = 31.0, half_height = 7.0;

  LabelPlaces(const Fabric& fabric, const std::vector<Spot>& spots, const std::vector<std::uint32_t>& adapters)
      : spots_(spots), bottoms_(spots.size()), cables_at_(spots.size(), 0) {
    for (std::uint32_t e = 0; e < spots.size(); ++e) {
      const bool adapter = std::ranges::find(adapters, e) != adapters.end();
      bottoms_[e] = spots[e].y + box_height / 2 + (adapter ? adapter_height + 2 : 0.0);
    }
    for (const auto& cable : fabric.cables) {
      ++cables_at_[cable.from];
      ++cables_at_[cable.to];
    }
  }

  std::optional<Spot> next(const Fabric::Cable& cable) {
    const bool level = spots_[cable.from].y == spots_[cable.to].y;
    const bool to_first = cables_at_[cable.from] < cables_at_[cable.to];
    for (const double along : {level ? 0.5 : 0.66, 0.5, 0.6, 0.4, 0.72, 0.34}) {
      const Spot at = curve_of(cable, spots_).at(to_first ? 1.0 - along : along);
      if (!free(at)) continue;
      taken_.push_back(at);
      return at;
    }
    return std::nullopt;
  }

 private:
  bool free(const Spot& at) const {
    for (std::uint32_t e = 0; e < spots_.size(); ++e) {
      const bool beside = std::abs(spots_[e].x - at.x) >= box_width / 2 + half_width - 8.0;
      if (!beside && at.y - half_height < bottoms_[e] && at.y + half_height > spots_[e].y - box_height / 2)
        return false;
    }
    return std::ranges::none_of(taken_, [&](const Spot& other) {
      return std::abs(other.x - at.x) < 2 * half_width && std::abs(other.y - at.y) < 2 * half_height;
    });
  }

  const std::vector<Spot>& spots_;
  std::vector<double> bottoms_;  ///< of the boxes, with the adapters below them
  std::vector<std::uint32_t> cables_at_;
  std::vector<Spot> taken_;
};

std::string bandwidths_svg(const Fabric& fabric, const std::vector<Spot>& spots,
                           const std::vector<std::uint32_t>& adapters) {
  LabelPlaces places(fabric, spots, adapters);
  std::string svg;
  for (const auto& cable : fabric.cables) {
    const auto at = places.next(cable);
    if (!at) continue;
    svg +=
        fmt::format("<rect class=\"paper\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>",
                    svg_number(at->x - LabelPlaces::half_width + 5), svg_number(at->y - LabelPlaces::half_height + 1),
                    svg_number(2 * LabelPlaces::half_width - 10), svg_number(2 * LabelPlaces::half_height - 2));
    svg += text_svg(at->x, at->y + 3.5, to_text(cable.bandwidth),
                    "text-anchor=\"middle\" class=\"text\" font-size=\"10\"");
  }
  return svg;
}

/// "adapter 3", "adapters 4-7", "adapters 0, 2".
std::string adapters_label(const std::vector<std::uint32_t>& numbers) {
  if (numbers.size() == 1) return fmt::format("adapter {}", numbers[0]);
  if (numbers.back() - numbers.front() + 1 == numbers.size())
    return fmt::format("adapters {}-{}", numbers.front(), numbers.back());
  return fmt::format("adapters {}", fmt::join(numbers, ", "));
}

std::string box_svg(Spot at, double width, double height, const std::string& label, const std::string& title) {
  std::string svg = fmt::format(
      "<g><title>{}</title><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" class=\"paper\" "
      "stroke=\"#8a94a6\"/>",
      show::xml_escape(title), svg_number(at.x - width / 2), svg_number(at.y - height / 2), svg_number(width),
      svg_number(height));
  return svg + text_svg(at.x, at.y + 4, label, "text-anchor=\"middle\" class=\"text\" font-size=\"11\"") + "</g>\n";
}

std::string summary_words(const Platform& platform, std::uint32_t number, const Network& network) {
  const NodeType& type = platform.node_types[number];
  std::string text = fmt::format("{} x {} cores", type.sockets, type.cores_per_socket);
  if (!type.gpus.empty()) text += fmt::format(", {} {}", type.gpus.size(), type.gpus.size() == 1 ? "GPU" : "GPUs");
  const std::uint32_t adapters = network.adapters.of_type(number);
  text += fmt::format("; {} {} of {} each way on network '{}'", adapters, adapters == 1 ? "adapter" : "adapters",
                      to_text(network.nic(platform.first_node_of(number)).bandwidth), network.name);
  if (type.fabric.span > 1)
    text += fmt::format("; {} nodes share '{}'", type.fabric.span, element_name(type, type.fabric.shared));
  return text;
}

/// Middles of the boxes of a node, row by row.
std::vector<Spot> spots_of(const std::vector<std::vector<std::uint32_t>>& rows, double inner) {
  std::vector<Spot> spots;
  for (std::size_t r = 0; r < rows.size(); ++r)
    for (std::size_t i = 0; i < rows[r].size(); ++i) {
      spots.resize(std::max<std::size_t>(spots.size(), rows[r][i] + 1));
      spots[rows[r][i]] = {margin + inner * (static_cast<double>(i) + 0.5) / static_cast<double>(rows[r].size()),
                           header + 50.0 + static_cast<double>(r) * row_height};
    }
  return spots;
}

std::string boxes_svg(const NodeType& type, const std::vector<std::uint32_t>& adapters, const Network& network,
                      const std::vector<Spot>& spots) {
  std::string svg;
  for (std::uint32_t e = 0; e < spots.size(); ++e) {
    const std::string name = element_name(type, e);
    const bool gpu = e >= type.sockets && e < type.sockets + type.gpus.size();
    const bool shared = type.fabric.span > 1 && type.fabric.shared == e;
    const double width = shared ? 2 * box_width : box_width;
    svg += box_svg(spots[e], width, box_height, shared ? fmt::format("{}, of {} nodes", name, type.fabric.span) : name,
                   gpu      ? type.gpus[e - type.sockets].model
                   : shared ? fmt::format("{}: {} consecutive nodes share it", name, type.fabric.span)
                            : name);
    std::vector<std::uint32_t> here;
    for (std::uint32_t k = 0; k < adapters.size(); ++k)
      if (adapters[k] == e) here.push_back(k);
    if (here.empty()) continue;
    const std::string label = adapters_label(here);
    svg += box_svg({spots[e].x, spots[e].y + box_height / 2 + adapter_height / 2 + 2}, box_width, adapter_height, label,
                   fmt::format("{} on {}, {} each way", label, network.name, to_text(network.bandwidth)));
  }
  return svg;
}

}  // namespace

std::string node_svg(const Platform& platform, std::uint32_t number, const Network& network) {
  const NodeType& type = platform.node_types[number];
  const Fabric fabric = drawn_fabric(type);
  const auto rows = rows_of(type, fabric);
  const bool described = type.fabric.described();
  std::size_t most = 1;
  for (const auto& row : rows) most = std::max(most, row.size());
  const std::string title = fmt::format("a node '{}' of {}", type.name, platform.name);
  const std::string summary = summary_words(platform, number, network);
  const double inner =
      std::max({480.0, static_cast<double>(most) * (box_width + gap), 6.6 * static_cast<double>(summary.size())});
  const std::vector<Spot> spots = spots_of(rows, inner);
  std::map<std::size_t, const char*> looks;
  for (const auto& cable : fabric.cables) {
    const LinkLook look = look_of(cable.kind, described);
    looks.try_emplace(look.style, look.all);
  }
  const double legend = header + 50.0 + static_cast<double>(rows.size()) * row_height;
  std::string svg =
      show::svg_open(inner + 2 * margin, legend + legend_line * static_cast<double>(looks.size() + 1), title);
  svg += text_svg(margin, 28, title, "class=\"text\" font-size=\"16\" font-weight=\"600\"");
  svg += text_svg(margin, 48, summary, "class=\"muted\"");
  svg += cables_svg(fabric, spots, described);
  const std::vector<std::uint32_t> adapters =
      network.adapters.at.empty() ? std::vector<std::uint32_t>{0} : network.adapters.at[number];
  svg += boxes_svg(type, adapters, network, spots) + bandwidths_svg(fabric, spots, adapters);
  double y = legend;
  for (const auto& [style, words] : looks) {
    svg += fmt::format("<path stroke=\"{}\" stroke-width=\"3\" d=\"M{} {}h26\"/>", show::series_style(style).color,
                       svg_number(margin), svg_number(y));
    svg += text_svg(margin + 34, y + 4, fmt::format("{}, each way", words), "class=\"text\"");
    y += legend_line;
  }
  return svg + "</svg>\n";
}

}  // namespace orrery::cli
