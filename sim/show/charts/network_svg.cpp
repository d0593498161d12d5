#include "sim/show/charts/network_svg.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/quantity_text.hpp"
#include "sim/show/charts/network_drawing.hpp"
#include "sim/show/charts/network_notes.hpp"
#include "sim/show/charts/svg.hpp"

namespace orrery::show {

namespace {

constexpr double header = 64.0, margin = 16.0, legend_line = 24.0;

std::string text_svg(double x, double y, const std::string& text, std::string_view anchor, std::string_view rest) {
  return fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" {}>{}</text>\n", svg_number(x), svg_number(y), anchor,
                     rest, xml_escape(text));
}

std::string rect_svg(const NetworkDrawing::Box& box, std::string_view rest) {
  return fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}/>", svg_number(box.x), svg_number(box.y),
                     svg_number(box.width), svg_number(box.height), rest);
}

std::string cables_words(const NetworkOutline& outline, const NetworkOutline::Cables& cables) {
  return fmt::format("{} - {}: {} {}, {} each way", outline.places[cables.from].words, outline.places[cables.to].words,
                     cables.count, cables.count == 1 ? "cable" : "cables", to_text(cables.bandwidth));
}

std::string lines_svg(const NetworkOutline& outline, const NetworkDrawing& drawing) {
  if (drawing.lines.empty()) return {};
  const double opacity = drawing.lines.size() > 600 ? 0.3 : drawing.lines.size() > 200 ? 0.45 : 1.0;
  const auto [fewest, most] = std::ranges::minmax(outline.cables, {}, &NetworkOutline::Cables::count);
  std::string svg = fmt::format("<g class=\"frame\" style=\"stroke-opacity:{}\">\n", svg_number(opacity));
  for (const auto& line : drawing.lines) {
    const auto& cables = outline.cables[line.cables];
    svg += fmt::format("<path style=\"stroke-width:{}\" d=\"M{} {}Q{} {} {} {}\"><title>{}</title></path>\n",
                       svg_number(fewest.count == most.count ? 1.2 : 1.0 + 3.0 * cables.count / most.count),
                       svg_number(line.x), svg_number(line.y), svg_number(line.bend_x), svg_number(line.bend_y),
                       svg_number(line.to_x), svg_number(line.to_y), xml_escape(cables_words(outline, cables)));
  }
  return svg + "</g>\n";
}

/// The frame around the nodes of a switch and one line for all their NICs.
std::string frames_svg(const NetworkOutline& outline, const NetworkDrawing& drawing) {
  std::string svg;
  for (const auto& frame : drawing.frames) {
    const auto of_place = [&](const NetworkDrawing::Box& box) { return box.of == frame.of; };
    const auto box = std::ranges::find_if(drawing.boxes, of_place);
    if (box == drawing.boxes.end()) continue;
    std::uint32_t adapters = 0;
    for (const auto& cell : outline.cells)
      if (cell.place == frame.of) adapters += cell.adapters;
    svg += fmt::format("<path class=\"frame\" d=\"M{0} {1}V{2}\"><title>{3} {4} of {5} each way</title></path>",
                       svg_number(box->x + box->width / 2), svg_number(box->y + box->height), svg_number(frame.y),
                       adapters, adapters == 1 ? "NIC" : "NICs", to_text(outline.nic));
    svg += rect_svg(frame, "rx=\"4\" class=\"grid\"") + "\n";
  }
  return svg;
}

std::string boxes_svg(const NetworkOutline& outline, const NetworkDrawing& drawing) {
  std::string svg;
  for (const auto& box : drawing.boxes) {
    svg += fmt::format("<g><title>{}</title>", xml_escape(outline.places[box.of].words));
    svg += rect_svg(box, "rx=\"4\" class=\"paper\" stroke=\"#8a94a6\"");
    if (!box.text.empty())
      svg += text_svg(box.x + box.width / 2, box.y + box.height / 2 + 4, box.text, "middle",
                      "class=\"text\" font-size=\"11\"");
    svg += "</g>\n";
  }
  return svg;
}

std::string cells_svg(const NetworkOutline& outline, const NetworkDrawing& drawing) {
  std::string svg;
  for (const auto& box : drawing.cells) {
    const auto& cell = outline.cells[box.of];
    const auto& kind = outline.kinds[cell.type];
    const auto& color = series_style(cell.type).color;
    svg += fmt::format("<g><title>{}: {}, {}</title>", cell_words(cell), xml_escape(kind.name), xml_escape(kind.words));
    svg += rect_svg(box, "rx=\"2\" class=\"paper\"");
    svg += rect_svg(box, fmt::format("rx=\"2\" fill=\"{0}\" fill-opacity=\"0.25\" stroke=\"{0}\"", color));
    if (!box.text.empty())
      svg += text_svg(box.x + box.width / 2, box.y + box.height / 2 + 4, box.text, "middle",
                      "class=\"text\" font-size=\"11\"");
    svg += "</g>\n";
  }
  return svg;
}

std::string legend_svg(const NetworkOutline& outline, double y) {
  std::string svg;
  for (std::size_t type = 0; type < outline.kinds.size(); ++type, y += legend_line) {
    const auto& kind = outline.kinds[type];
    const auto& color = series_style(type).color;
    const NetworkDrawing::Box key{margin, y - 8, 26, 16, "", 0};
    svg += rect_svg(key, fmt::format("rx=\"3\" fill=\"{0}\" fill-opacity=\"0.25\" stroke=\"{0}\"", color));
    svg += text_svg(margin + 34, y + 4,
                    fmt::format("{}: {} {}, {}", kind.name, kind.count, kind.count == 1 ? "node" : "nodes", kind.words),
                    "start", "class=\"text\"");
  }
  for (const std::string& note : drawing_notes(outline)) {
    svg += text_svg(margin, y + 4, note, "start", "class=\"muted\"");
    y += legend_line - 4.0;
  }
  return svg;
}

/// Words in lines of up to `width` units.
std::vector<std::string> lines_of(const std::string& text, double width) {
  const auto most = static_cast<std::size_t>(width / 6.6);
  std::vector<std::string> lines(1);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (!lines.back().empty() && lines.back().size() + 1 + end - begin > most) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + text.substr(begin, end - begin);
    begin = end + 1;
  }
  return lines;
}

}  // namespace

std::string network_svg(const NetworkOutline& outline) {
  const NetworkDrawing drawing = draw_network(outline);
  const double width = std::max(drawing.width + 2 * margin, 640.0);
  const std::vector<std::string> words = lines_of(outline.words, width - 2 * margin);
  const double top = header + 18.0 * static_cast<double>(words.size() - 1);
  const double legend = top + drawing.height + 24.0;
  const double height =
      legend + legend_line * static_cast<double>(outline.kinds.size() + drawing_notes(outline).size());
  std::string svg = svg_open(width, height, outline.title);
  svg += text_svg(margin, 28, outline.title, "start", "class=\"text\" font-size=\"16\" font-weight=\"600\"");
  for (std::size_t i = 0; i < words.size(); ++i)
    svg += text_svg(margin, 48.0 + 18.0 * static_cast<double>(i), words[i], "start", "class=\"muted\"");
  svg += fmt::format("<g transform=\"translate({} {})\">\n", svg_number((width - drawing.width) / 2), svg_number(top));
  svg += lines_svg(outline, drawing) + frames_svg(outline, drawing) + boxes_svg(outline, drawing) +
         cells_svg(outline, drawing);
  for (const auto& label : drawing.labels)
    svg += text_svg(label.x, label.y, label.text, label.anchor, "class=\"muted\" font-size=\"11\"");
  return svg + "</g>\n" + legend_svg(outline, legend) + "</svg>\n";
}

}  // namespace orrery::show
