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

namespace {

constexpr double inside = 1e-9;  // of a range: rounding

/// Of [least, most]: digits times the powers of ten, of which every `stride`-th.
std::vector<double> powers_of_ten(double least, double most, std::initializer_list<int> digits, int stride) {
  std::vector<double> values;
  const double first = std::log10(least);
  int e = static_cast<int>(digits.size() > 1 ? std::floor(first) : std::ceil(first - inside));
  for (; std::pow(10.0, e) <= most * (1.0 + inside); e += stride)
    for (const int digit : digits)
      if (const double value = digit * std::pow(10.0, e);
          value >= least * (1.0 - inside) && value <= most * (1.0 + inside))
        values.push_back(value);
  return values;
}

std::vector<double> round_steps(double least, double most, int wanted) {
  std::vector<double> values;
  const double step = round_step(most - least, wanted);
  for (double k = std::ceil(least / step - inside); k * step <= most + step * inside; k += 1.0)
    values.push_back(k == 0.0 ? 0.0 : k * step);
  return values;
}

/// None where there would be too few.
std::vector<double> round_powers(double least, double most, int wanted) {
  const double decades = std::log10(most / least);
  const int stride = std::max(1, static_cast<int>(std::ceil(decades / std::max(wanted, 6) - inside)));
  if (auto sparse = powers_of_ten(least, most, {1}, stride); decades >= 2.2 && sparse.size() > 2) return sparse;
  auto dense = powers_of_ten(least, most, {1, 2, 5}, 1);
  return dense.size() > 2 ? dense : std::vector<double>{};
}

}  // namespace

std::vector<Tick> axis_ticks(double least, double most, bool log, int wanted, std::string (*label)(double)) {
  if (!(most > least)) return {{least, label(least)}};
  std::vector<Tick> ticks;
  if (log)
    for (const double value : round_powers(least, most, wanted)) ticks.push_back({value, label(value)});
  if (ticks.empty()) {
    for (const double value : round_steps(least, most, wanted)) ticks.push_back({value, label(value)});
    return ticks;
  }
  for (const double value : powers_of_ten(least, most, {1, 2, 3, 4, 5, 6, 7, 8, 9}, 1))
    if (std::ranges::find(ticks, value, &Tick::value) == ticks.end()) ticks.push_back({value, ""});
  std::ranges::sort(ticks, {}, &Tick::value);
  return ticks;
}

}  // namespace orrery::show
