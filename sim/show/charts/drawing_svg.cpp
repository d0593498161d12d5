#include <fmt/format.h>

#include <array>

#include "sim/show/charts/drawing.hpp"
#include "sim/show/charts/svg.hpp"

namespace orrery::show::paper {

namespace {

/// Widths of ' ' .. '~' in thousandths of the size: Adobe Font Metrics of Helvetica.
constexpr std::array<int, 95> helvetica{278,  278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
                                        556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
                                        1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
                                        667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
                                        333,  556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
                                        556,  556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584};

std::string grey_text(double grey) {
  const int level = static_cast<int>(255.0 * grey + 0.5);
  return fmt::format("#{0:02x}{0:02x}{0:02x}", level);
}

std::string style(const Pen& pen, const std::optional<double>& fill) {
  std::string text = fmt::format(" fill=\"{}\"", fill ? grey_text(*fill) : "none");
  if (pen.width <= 0.0) return text;
  text += fmt::format(" stroke=\"{}\" stroke-width=\"{}\"", grey_text(pen.grey), svg_number(pen.width));
  if (pen.dashes.empty()) return text;
  text += " stroke-dasharray=\"";
  for (std::size_t i = 0; i < pen.dashes.size(); ++i) text += (i == 0 ? "" : " ") + svg_number(pen.dashes[i]);
  return text + "\"";
}

std::string shape_svg(const Path& path) {
  std::string d;
  for (const Coordinates& place : path.places)
    d += (d.empty() ? "M" : "L") + svg_number(place.x) + " " + svg_number(place.y);
  return fmt::format("<path d=\"{}{}\"{}/>\n", d, path.closed ? "z" : "", style(path.pen, path.fill));
}

std::string shape_svg(const Disc& disc) {
  return fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\"{}/>\n", svg_number(disc.centre.x), svg_number(disc.centre.y),
                     svg_number(disc.radius), style(disc.pen, disc.fill));
}

std::string shape_svg(const Words& words) {
  constexpr const char* anchors[] = {"start", "middle", "end"};
  const std::string at = words.angle == 0.0
                             ? fmt::format("x=\"{}\" y=\"{}\"", svg_number(words.at.x), svg_number(words.at.y))
                             : fmt::format("transform=\"translate({} {}) rotate({})\"", svg_number(words.at.x),
                                           svg_number(words.at.y), svg_number(words.angle));
  return fmt::format("<text {} font-size=\"{}\" text-anchor=\"{}\">{}</text>\n", at, svg_number(words.size),
                     anchors[static_cast<std::size_t>(words.anchor)], xml_escape(words.text));
}

}  // namespace

double words_width(std::string_view text, double size) {
  constexpr int digit = 556;
  int thousandths = 0;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code >= 0x80 && code < 0xc0) continue;  // a further byte of one character
    thousandths += code >= 0x20 && code < 0x7f ? helvetica[code - 0x20] : digit;
  }
  return thousandths * size / 1000.0;
}

std::string drawing_svg(const Drawing& drawing) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}pt\" height=\"{1}pt\" viewBox=\"0 0 {0} {1}\" role=\"img\" "
      "font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" fill=\"#000000\">\n<title>{2}</title>\n{3}"
      "<rect width=\"{0}\" height=\"{1}\" fill=\"#ffffff\"/>\n",
      svg_number(drawing.width), svg_number(drawing.height), xml_escape(drawing.title),
      drawing.description.empty() ? "" : fmt::format("<desc>{}</desc>\n", xml_escape(drawing.description)));
  for (const auto& shape : drawing.shapes) svg += std::visit([](const auto& one) { return shape_svg(one); }, shape);
  return svg + "</svg>\n";
}

}  // namespace orrery::show::paper
