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

}  // namespace orrery::show
