#include "sim/show/charts/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace orrery::show {

std::string xml_escape(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      case '\'':
        safe += "&#39;";
        break;
      default:
        // Control characters are not allowed in XML 1.0, not even escaped.
        safe += static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t' ? ' ' : c;
    }
  }
  return safe;
}

std::string svg_number(double value) {
  std::string text = fmt::format("{:.2f}", value);
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text == "-0" ? "0" : text;
}

SeriesStyle series_style(std::size_t n) {
  constexpr std::array<std::string_view, 7> colors{"#0072B2", "#D55E00", "#009E73", "#CC79A7",
                                                   "#E69F00", "#56B4E9", "#7F7F7F"};
  constexpr std::array<std::string_view, 4> dashes{"", "7 3", "2 3", "9 3 2 3"};
  return {colors[n % colors.size()], dashes[n % dashes.size()], static_cast<Marker>(n % 6)};
}

std::string marker_svg(Marker marker, double x, double y, std::string_view color) {
  const auto at = [&](double dx, double dy) { return svg_number(x + dx) + " " + svg_number(y + dy); };
  const auto path = [&](const std::string& d, bool filled) {
    return fmt::format("<path d=\"{}\" {}=\"{}\"/>", d, filled ? "fill" : "fill=\"none\" stroke-width=\"1.8\" stroke",
                       color);
  };
  switch (marker) {
    case Marker::circle:
      return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"3.2\" fill=\"{}\"/>", svg_number(x), svg_number(y), color);
    case Marker::square:
      return path("M" + at(-3, -3) + "h6v6h-6z", true);
    case Marker::triangle:
      return path("M" + at(0, -4) + "L" + at(3.6, 2.8) + "L" + at(-3.6, 2.8) + "z", true);
    case Marker::diamond:
      return path("M" + at(0, -4.2) + "L" + at(4.2, 0) + "L" + at(0, 4.2) + "L" + at(-4.2, 0) + "z", true);
    case Marker::cross:
      return path("M" + at(-3, -3) + "l6 6m0 -6l-6 6", false);
    case Marker::plus:
      return path("M" + at(-4, 0) + "h8m-4 -4v8", false);
  }
  return {};
}

std::string svg_open(double width, double height, const std::string& title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\" "
      "font-family=\"system-ui, sans-serif\" font-size=\"12\">\n<title>{2}</title>\n<style>"
      ".text{{fill:#1c2330}}.muted{{fill:#5b6575}}.grid{{stroke:#d9dee7;stroke-width:1;fill:none}}"
      ".frame{{stroke:#8a94a6;stroke-width:1;fill:none}}.paper{{fill:#ffffff}}"
      "@media (prefers-color-scheme: dark){{.text{{fill:#e6e9ef}}.muted{{fill:#a3acba}}.grid{{stroke:#333c4a}}"
      ".frame{{stroke:#6b7587}}.paper{{fill:#151a22}}}}</style>\n"
      "<rect class=\"paper\" width=\"{0}\" height=\"{1}\"/>\n",
      svg_number(width), svg_number(height), xml_escape(title));
}

namespace {

/// 1, 2 or 5 times a power of ten, so that `range` holds about `wanted` of them.
double round_step(double range, int wanted) {
  const double raw = range / std::max(1, wanted);
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double digit : {1.0, 2.0, 5.0})
    if (raw <= digit * power * 1.0001) return digit * power;
  return 10.0 * power;
}

}  // namespace

std::string tick_label(double value) {
  const double size = std::abs(value);
  constexpr std::array<std::pair<double, const char*>, 3> suffixes{{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};
  if (size >= 1e4)
    for (const auto& [factor, suffix] : suffixes)
      if (size >= factor) return fmt::format("{:.4g}{}", value / factor, suffix);
  return fmt::format("{:.4g}", value);
}

std::vector<Tick> axis_ticks(double least, double most, bool log, int wanted, std::string (*label)(double)) {
  std::vector<Tick> ticks;
  if (!(most > least)) return {{least, label(least)}};
  if (log) {
    const double decades = std::log10(most / least);
    const int stride = std::max(1, static_cast<int>(std::ceil(decades / wanted)));
    const int first = static_cast<int>(std::floor(std::log10(least) + 1e-9));
    for (int e = first; std::pow(10.0, e) <= most * (1.0 + 1e-9); ++e)
      for (int digit = 1; digit <= 9; ++digit) {
        const double value = digit * std::pow(10.0, e);
        if (value < least * (1.0 - 1e-9) || value > most * (1.0 + 1e-9)) continue;
        const bool labelled = digit == 1      ? (e - first) % stride == 0
                              : decades < 0.9 ? digit <= 6 || digit == 8
                                              : decades < 2.0 && (digit == 2 || digit == 5);
        ticks.push_back({value, labelled ? label(value) : ""});
      }
    if (std::ranges::count_if(ticks, [](const Tick& tick) { return !tick.label.empty(); }) > 1) return ticks;
    ticks.clear();  // 46 .. 54: steps as on a linear axis
  }
  const double step = round_step(most - least, wanted);
  for (double k = std::ceil(least / step - 1e-9); k * step <= most + step * 1e-9; k += 1.0)
    ticks.push_back({k * step, label(k == 0.0 ? 0.0 : k * step)});
  return ticks;
}

namespace {

/// Maps data to the drawing along one axis.
struct Scale {
  double least = 0.0, most = 1.0, from = 0.0, to = 1.0;
  bool log = false;

  bool shows(double v) const { return std::isfinite(v) && (!log || v > 0.0); }
  double operator()(double v) const {
    const double share = log ? std::log(v / least) / std::log(most / least) : (v - least) / (most - least);
    return from + share * (to - from);
  }
};

Scale scale_of(const std::vector<Series>& series, bool vertical, const Axis& axis, double from, double to) {
  Scale scale{.from = from, .to = to, .log = axis.log};
  bool any = false;
  for (const auto& one : series)
    for (std::size_t i = 0; i < one.x.size(); ++i) {
      const double v = vertical ? one.y[i] : one.x[i];
      if (!scale.shows(v)) continue;
      scale.least = any ? std::min(scale.least, v) : v;
      scale.most = any ? std::max(scale.most, v) : v;
      any = true;
    }
  if (!any) scale.least = scale.log ? 1.0 : 0.0, scale.most = scale.log ? 10.0 : 1.0;
  if (vertical && !axis.log) scale.least = std::min(0.0, scale.least), scale.most += 0.05 * (scale.most - scale.least);
  scale.least = axis.least.value_or(scale.least);
  scale.most = axis.most.value_or(scale.most);
  if (!(scale.most > scale.least)) scale.most = scale.log ? scale.least * 10.0 : scale.least + 1.0;
  return scale;
}

std::string axes_svg(const ChartAxes& axes, const Scale& x, const Scale& y) {
  std::string svg;
  const auto left = svg_number(x.from), right = svg_number(x.to), top = svg_number(y.to), bottom = svg_number(y.from);
  for (const auto& tick : axis_ticks(y.least, y.most, y.log)) {
    if (tick.label.empty()) continue;
    const auto at = svg_number(y(tick.value));
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{} {}H{}\"/><text class=\"muted\" x=\"{}\" y=\"{}\" dy=\"4\" "
        "text-anchor=\"end\">{}</text>\n",
        left, at, right, svg_number(x.from - 6), at, tick.label);
  }
  for (const auto& tick : axis_ticks(x.least, x.most, x.log)) {
    if (tick.label.empty()) continue;
    const auto at = svg_number(x(tick.value));
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{0} {1}V{2}\"/><text class=\"muted\" x=\"{0}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4}</text>\n",
        at, bottom, top, svg_number(y.from + 17), tick.label);
  }
  svg += fmt::format("<path class=\"frame\" d=\"M{} {}V{}H{}\"/>\n", left, top, bottom, right);
  const double middle = (y.from + y.to) / 2;
  svg += fmt::format(
      "<text class=\"text\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n"
      "<text class=\"text\" transform=\"translate(16 {}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n"
      "<text class=\"text\" x=\"{}\" y=\"20\" font-size=\"14\" font-weight=\"600\">{}</text>\n",
      svg_number((x.from + x.to) / 2), svg_number(y.from + 36), xml_escape(axes.x.title), svg_number(middle),
      xml_escape(axes.y.title), left, xml_escape(axes.title));
  return svg;
}

std::string series_svg(const Series& series, const SeriesStyle& style, const Scale& x, const Scale& y) {
  std::string path, markers;
  bool pen_down = false;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (!x.shows(series.x[i]) || !y.shows(series.y[i])) {
      pen_down = false;
      continue;
    }
    path += (pen_down ? 'L' : 'M') + svg_number(x(series.x[i])) + " " + svg_number(y(series.y[i]));
    pen_down = true;
    if (series.markers) markers += marker_svg(style.marker, x(series.x[i]), y(series.y[i]), style.color);
  }
  if (!series.line) path.clear();
  return fmt::format(
      "<g><title>{}</title><path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" "
      "stroke-dasharray=\"{}\"/>{}</g>\n",
      xml_escape(series.name), path, style.color, style.dash, markers);
}

}  // namespace

std::string line_chart_svg(const std::vector<Series>& series, const ChartAxes& axes) {
  constexpr double left = 72, top = 36, bottom = 50, row = 18;
  std::size_t longest = 0;
  for (const auto& one : series) longest = std::max(longest, one.name.size());
  const double legend = series.empty() ? 16.0 : 52.0 + 6.6 * static_cast<double>(longest);
  const Scale x = scale_of(series, false, axes.x, left, axes.width - legend);
  const Scale y = scale_of(series, true, axes.y, axes.height - bottom, top);
  std::string svg = svg_open(axes.width, axes.height, axes.title) + axes_svg(axes, x, y);
  for (std::size_t n = 0; n < series.size(); ++n) {
    const SeriesStyle style = series_style(n);
    svg += series_svg(series[n], style, x, y);
    const double at = top + row * (static_cast<double>(n) + 0.5), from = x.to + 12.0;
    svg += fmt::format(
        "<path d=\"M{} {}h24\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\" stroke-dasharray=\"{}\"/>{}"
        "<text class=\"text\" x=\"{}\" y=\"{}\">{}</text>\n",
        svg_number(from), svg_number(at), style.color, style.dash, marker_svg(style.marker, from + 12, at, style.color),
        svg_number(from + 30), svg_number(at + 4), xml_escape(series[n].name));
  }
  return svg + "</svg>\n";
}

}  // namespace orrery::show
