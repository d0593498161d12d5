#include "sim/show/charts/rounds_svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "sim/core/quantity_text.hpp"
#include "sim/show/charts/svg.hpp"

namespace orrery::show {

namespace {

constexpr double left = 52.0, bottom = 34.0, top = 26.0, right = 12.0, rounds_header = 34.0, rounds_legend_row = 18.0;
constexpr double seconds_per_round = 1.6;

/// Ranks that stand for all: evenly spread over their order by time in the first round.
std::vector<std::size_t> chosen_ranks(const PartitionRound& first, std::size_t most) {
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < first.shares.size(); ++i)
    if (first.shares[i].blocks() > 0.0) order.push_back(i);
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return first.run.times[i]; });
  if (order.size() <= most) return order;
  std::vector<std::size_t> chosen;
  for (std::size_t k = 0; k < most; ++k) chosen.push_back(order[k * (order.size() - 1) / (most - 1)]);
  return chosen;
}

SpeedPoint measured(const PartitionRound& round, std::size_t rank) {
  const double rows = round.shares[rank].rows;
  return {rows, round.run.times[rank] > Seconds{} ? rows / round.run.times[rank].si() : 0.0};
}

class Sheet {
 public:
  Sheet(const std::vector<PartitionRound>& rounds, const RoundsPicture& picture)
      : rounds_(rounds), picture_(picture), ranks_(chosen_ranks(rounds.front(), picture.ranks_max)) {
    for (const PartitionRound& round : rounds)
      for (const std::size_t rank : ranks_) {
        const SpeedPoint point = measured(round, rank);
        rows_ = std::max(rows_, point.size * 1.08);
        speed_ = std::max(speed_, point.speed * 1.12);
      }
    // Of one panel the curves are the subject; of many the points are, and curves end at the frame.
    if (single())
      for (const std::size_t rank : ranks_)
        if (rank < picture.curves.size())
          for (const auto& [size, speed] : picture.curves[rank])
            if (size <= rows_) speed_ = std::max(speed_, speed * 1.05);
  }

  std::string text() const {
    const bool large = picture_.moving || single();
    const double width = large ? 640.0 : 330.0, height = large ? 420.0 : 250.0;
    const auto shown = shown_rounds();
    const std::size_t across = picture_.moving ? 1 : std::min<std::size_t>(3, shown.size());
    const std::size_t down = picture_.moving ? 1 : (shown.size() + across - 1) / across;
    const double legend_y = rounds_header + static_cast<double>(down) * height + 6.0;
    std::string svg =
        svg_open(static_cast<double>(across) * width,
                 legend_y + static_cast<double>(ranks_.size()) * rounds_legend_row + 22.0, picture_.title);
    svg +=
        fmt::format("<text class=\"text\" x=\"10\" y=\"20\" font-size=\"14\">{}</text>\n", xml_escape(picture_.title));
    for (std::size_t k = 0; k < shown.size(); ++k) {
      const std::size_t place = picture_.moving ? 0 : k;
      const double x = static_cast<double>(place % across) * width,
                   y = rounds_header + static_cast<double>(place / across) * height;
      svg += fmt::format("<g transform=\"translate({} {})\"{}>\n{}{}</g>\n", svg_number(x), svg_number(y),
                         picture_.moving && k > 0 ? " visibility=\"hidden\"" : "",
                         picture_.moving ? turn(k, shown.size()) : "", panel(shown[k], width, height));
    }
    return svg + legend(legend_y) + "</svg>\n";
  }

 private:
  bool single() const { return rounds_.size() == 1; }

  static std::string balanced_text(const PartitionRound& round) {
    return round.outer > 0 ? fmt::format(" (widths balanced {} x)", round.outer) : "";
  }

  std::vector<std::size_t> shown_rounds() const {
    std::vector<std::size_t> shown(rounds_.size());
    std::iota(shown.begin(), shown.end(), std::size_t{0});
    if (!picture_.moving && shown.size() > picture_.panels_max)
      shown.erase(shown.begin() + static_cast<std::ptrdiff_t>(picture_.panels_max) - 1, shown.end() - 1);
    return shown;
  }

  /// Visible in its turn.
  static std::string turn(std::size_t k, std::size_t all) {
    std::string values;
    for (std::size_t i = 0; i < all; ++i) values += std::string(i == 0 ? "" : ";") + (i == k ? "visible" : "hidden");
    return fmt::format(
        "<animate attributeName=\"visibility\" calcMode=\"discrete\" values=\"{}\" dur=\"{}s\" "
        "repeatCount=\"indefinite\"/>\n",
        values, svg_number(seconds_per_round * static_cast<double>(all)));
  }

  struct PlotArea {
    double width, height;  ///< of the plot
    double rows, speed;
    double x(double of) const { return left + width * std::min(of / rows, 1.0); }
    double y(double of) const { return top + height * (1.0 - std::min(of / speed, 1.0)); }
    std::string at(double size, double of) const { return svg_number(x(size)) + "," + svg_number(y(of)); }
  };

  std::string panel(std::size_t number, double width, double height) const {
    const PartitionRound& round = rounds_[number];
    const PlotArea area{width - left - right, height - top - bottom, rows_, speed_};
    std::string svg = axes(area);
    svg += fmt::format("<text class=\"text\" x=\"{}\" y=\"16\">{}slowest {:.3g} times the fastest</text>\n",
                       svg_number(left), single() ? "" : fmt::format("round {}{}: ", number + 1, balanced_text(round)),
                       1.0 + round.imbalance);
    for (std::size_t k = 0; k < ranks_.size(); ++k) svg += of_rank(round, k, area);
    if (round.predicted > Seconds{}) svg += ray(1.0 / round.predicted.si(), area);
    std::vector<SpeedPoint> points;
    for (const std::size_t rank : ranks_)
      if (round.shares[rank].blocks() > 0.0) points.push_back(measured(round, rank));
    std::ranges::sort(points, {}, &SpeedPoint::size);
    std::string joined;
    for (const auto& [size, speed] : points) joined += area.at(size, speed) + " ";
    return svg + fmt::format("<polyline points=\"{}\" class=\"frame\" stroke-dasharray=\"1 4\"/>\n", joined);
  }

  static std::string ray(double slope, const PlotArea& area) {
    const double end = std::min(area.rows, area.speed / slope);
    return fmt::format("<polyline points=\"{} {}\" class=\"frame\" stroke-dasharray=\"7 4\"/>\n", area.at(0.0, 0.0),
                       area.at(end, end * slope));
  }

  std::string of_rank(const PartitionRound& round, std::size_t k, const PlotArea& area) const {
    const std::size_t rank = ranks_[k];
    const SeriesStyle style = series_style(k);
    std::string svg;
    if (rank < picture_.curves.size()) svg += line(picture_.curves[rank], style.color, 3.0, single() ? 0.7 : 0.3, area);
    if (rank < round.known.size() && !round.known[rank].empty()) {
      auto known = round.known[rank];
      known.insert(known.begin(), {0.0, known.front().speed});
      known.push_back({rows_, known.back().speed});
      svg += line(known, style.color, 1.2, 1.0, area);
    }
    if (round.shares[rank].blocks() <= 0.0) return svg;
    const SpeedPoint point = measured(round, rank);
    return svg + "<g><title>" +
           xml_escape(fmt::format("{}: {:g} rows in {}", name(rank), point.size, to_text(round.run.times[rank]))) +
           "</title>" + marker_svg(style.marker, area.x(point.size), area.y(point.speed), style.color) + "</g>\n";
  }

  std::string line(const std::vector<SpeedPoint>& points, std::string_view color, double width, double opacity,
                   const PlotArea& area) const {
    std::string joined;
    for (const auto& [size, speed] : points)
      if (size <= rows_ * 1.0001 && speed <= speed_ * 1.0001) joined += area.at(size, speed) + " ";
    return fmt::format("<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{}\" opacity=\"{}\"/>\n",
                       joined, color, svg_number(width), svg_number(opacity));
  }

  static std::string axes(const PlotArea& area) {
    std::string svg = fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" class=\"frame\"/>\n",
                                  svg_number(left), svg_number(top), svg_number(area.width), svg_number(area.height));
    for (const Tick& tick : axis_ticks(0.0, area.rows, false, 4))
      svg += fmt::format("<text class=\"muted\" x=\"{}\" y=\"{}\" text-anchor=\"middle\" font-size=\"10\">{}</text>\n",
                         svg_number(area.x(tick.value)), svg_number(top + area.height + 13.0), tick.label);
    for (const Tick& tick : axis_ticks(0.0, area.speed, false, 4))
      svg += fmt::format("<text class=\"muted\" x=\"{}\" y=\"{}\" text-anchor=\"end\" font-size=\"10\">{}</text>\n",
                         svg_number(left - 5.0), svg_number(area.y(tick.value) + 3.5), tick.label);
    return svg + fmt::format(
                     "<text class=\"muted\" x=\"{}\" y=\"{}\" text-anchor=\"end\" font-size=\"10\">rows</text>\n"
                     "<text class=\"muted\" x=\"4\" y=\"{}\" font-size=\"10\">rows/s</text>\n",
                     svg_number(left + area.width), svg_number(top + area.height + 26.0), svg_number(top - 4.0));
  }

  std::string legend(double y) const {
    std::string svg;
    for (std::size_t k = 0; k < ranks_.size(); ++k) {
      const double middle = y + static_cast<double>(k) * rounds_legend_row + 8.0;
      svg += marker_svg(series_style(k).marker, 20.0, middle, series_style(k).color) +
             fmt::format("<text class=\"text\" x=\"34\" y=\"{}\">{}</text>\n", svg_number(middle + 4.0),
                         xml_escape(name(ranks_[k])));
    }
    const char* words = single() ? "dashed: the line through the origin that all would lie on if they ended together"
                                 : "thin: known before; dashed: the line it was divided by; dotted: measured";
    const char* pale = picture_.curves.empty() || single() ? "" : "; pale: the speed itself";
    return svg + fmt::format("<text class=\"muted\" x=\"10\" y=\"{}\" font-size=\"10\">{}{}</text>\n",
                             svg_number(y + static_cast<double>(ranks_.size()) * rounds_legend_row + 12.0), words,
                             pale);
  }

  std::string name(std::size_t rank) const {
    return rank < picture_.rank_names.size() ? picture_.rank_names[rank] : fmt::format("rank {}", rank);
  }

  const std::vector<PartitionRound>& rounds_;
  const RoundsPicture& picture_;
  std::vector<std::size_t> ranks_;
  double rows_ = 1.0, speed_ = 1e-300;
};

}  // namespace

std::string rounds_svg(const std::vector<PartitionRound>& rounds, const RoundsPicture& picture) {
  return Sheet(rounds, picture).text();
}

}  // namespace orrery::show
