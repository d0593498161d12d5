#include "sim/show/charts/pattern_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sim/show/charts/svg.hpp"

namespace orrery::show {

namespace {

constexpr std::string_view grey = "#888888";
constexpr double top_edge = 70.0, left_edge = 60.0, stage_height = 70.0,
                 stage_gap = 0.8;  // stage_gap: between clusters, in ranks

struct Places {
  std::vector<double> x;             ///< [ranks]
  std::vector<std::size_t> cluster;  ///< [ranks] clusters.size() for none
  double width = 0.0;
};

Places places_of(const StagePattern& pattern, const PatternPicture& picture) {
  const double step = std::clamp(1100.0 / std::max(1u, pattern.ranks), 4.0, 40.0);
  Places places{std::vector<double>(pattern.ranks, -1.0),
                std::vector<std::size_t>(pattern.ranks, picture.clusters.size()), 0.0};
  double at = 0.0;
  for (std::size_t c = 0; c < picture.clusters.size(); ++c, at += stage_gap)
    for (const std::uint32_t rank : picture.clusters[c]) {
      places.x[rank] = left_edge + step * at++;
      places.cluster[rank] = c;
    }
  for (double& x : places.x)
    if (x < 0.0) x = left_edge + step * at++;
  places.width = left_edge + step * at + 20.0;
  return places;
}

std::string arrow(double x1, double y1, double x2, double y2, std::string_view colour) {
  const double length = std::hypot(x2 - x1, y2 - y1), ux = (x2 - x1) / length, uy = (y2 - y1) / length;
  const double tip_x = x2 - 4.0 * ux, tip_y = y2 - 4.0 * uy, back_x = tip_x - 6.0 * ux, back_y = tip_y - 6.0 * uy;
  return fmt::format(
      "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}\" stroke=\"{}\" stroke-width=\"1.3\" fill=\"none\"/>"
      "<path d=\"M{:.1f} {:.1f}L{:.1f} {:.1f}L{:.1f} {:.1f}Z\" fill=\"{}\"/>\n",
      x1, y1, back_x, back_y, colour, tip_x, tip_y, back_x - 2.5 * uy, back_y + 2.5 * ux, back_x + 2.5 * uy,
      back_y - 2.5 * ux, colour);
}

}  // namespace

std::string pattern_svg(const StagePattern& pattern, const PatternPicture& picture) {
  const Places places = places_of(pattern, picture);
  const auto y = [](std::size_t stage) { return top_edge + stage_height * static_cast<double>(stage); };
  const double height = y(pattern.stages.size()) + 30.0, width = std::max(places.width, 420.0);
  std::string svg = svg_open(width, height, picture.title);
  svg +=
      fmt::format("<text class=\"text\" x=\"16\" y=\"24\" font-weight=\"bold\">{}</text>\n", xml_escape(picture.title));
  const bool numbers = pattern.ranks <= 80;
  for (std::uint32_t rank = 0; rank < pattern.ranks && numbers; ++rank)
    svg += fmt::format(
        "<text class=\"muted\" font-size=\"9\" text-anchor=\"middle\" x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n",
        places.x[rank], top_edge - 12.0, rank);
  const auto colour_of = [&](std::uint32_t rank) {
    return places.cluster[rank] == picture.clusters.size() ? grey : series_style(places.cluster[rank]).color;
  };
  for (std::size_t s = 0; s < pattern.stages.size(); ++s) {
    svg += fmt::format(
        "<text class=\"muted\" font-size=\"10\" text-anchor=\"middle\" x=\"26\" y=\"{:.1f}\">stage {}</text>\n",
        y(s) + 0.5 * stage_height + 3.0, s);
    for (const auto& [from, to] : pattern.stages[s].signals()) {
      const bool within = places.cluster[from] == places.cluster[to];
      svg += arrow(places.x[from], y(s), places.x[to], y(s + 1), within ? colour_of(from) : grey);
    }
  }
  for (std::size_t s = 0; s <= pattern.stages.size(); ++s)
    for (std::uint32_t rank = 0; rank < pattern.ranks; ++rank)
      svg += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"/>\n", places.x[rank], y(s),
                         colour_of(rank));
  return svg + "</svg>\n";
}

}  // namespace orrery::show
