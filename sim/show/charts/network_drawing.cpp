#include "sim/show/charts/network_drawing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/show/charts/network_shapes.hpp"

namespace orrery::show {

namespace {

constexpr double box_height = 22.0, gap = 3.0, character = 6.4;

double cell_size(std::size_t cells) { return cells <= 40 ? 26.0 : cells <= 160 ? 20.0 : 13.0; }

/// Columns of a block of cells: all in a row if they fit, else a power of two of them.
std::size_t columns_of(std::size_t cells, double width, double size) {
  const auto fit = static_cast<std::size_t>(std::max(1.0, std::floor((width + gap) / (size + gap))));
  if (cells <= fit) return std::max<std::size_t>(1, cells);
  std::size_t columns = 1;
  while (2 * columns <= fit) columns *= 2;
  return columns;
}

struct Levels {
  const NetworkOutline& outline;
  NetworkDrawing drawing = {};
  std::vector<std::vector<std::uint32_t>> of_level = {};  ///< places
  std::vector<std::vector<std::uint32_t>> cells_on = {};  ///< [places]
  std::vector<ShapePoint> centres = {};                   ///< [places]
  double left = 0.0, right = 0.0, rise = 0.0, leaf_y = 0.0, size = 0.0, block_bottom = 0.0;

  void sort_out();
  void place_switches();
  void place_nodes();
  void name_nodes();
  void join();
  double slot(std::size_t level) const { return (right - left) / static_cast<double>(of_level[level].size()); }
};

void Levels::sort_out() {
  of_level.resize(std::max<std::size_t>(1, outline.levels.size()));
  for (std::uint32_t p = 0; p < outline.places.size(); ++p) of_level[outline.places[p].level].push_back(p);
  cells_on.resize(outline.places.size());
  for (std::uint32_t c = 0; c < outline.cells.size(); ++c) cells_on[outline.cells[c].place].push_back(c);
  centres.resize(outline.places.size());
  std::size_t most = 1;
  for (const auto& level : of_level) most = std::max(most, level.size());
  const bool named = outline.places.size() > 1;
  std::size_t longest = 0;
  for (const auto& level : outline.levels) longest = std::max(longest, level.size());
  left = named ? 16.0 + character * static_cast<double>(longest) : 12.0;
  right = std::max(named ? 760.0 : 700.0, left + static_cast<double>(most) * (outline.rails > 0 ? 34.0 : 26.0));
  if (outline.cells.size() > 40) right = std::max(right, 1060.0);
  rise = outline.cables.size() > 200 ? 150.0 : 96.0;
  const auto beside = [&](const auto& cables) {
    return cables.from != cables.to && outline.places[cables.from].level == outline.places[cables.to].level;
  };
  leaf_y =
      (std::ranges::any_of(outline.cables, beside) ? 74.0 : 24.0) + rise * static_cast<double>(of_level.size() - 1);
  size = cell_size(outline.cells.size());
}

void Levels::place_switches() {
  for (std::size_t level = 0; level < of_level.size(); ++level) {
    const double y = leaf_y - rise * static_cast<double>(level), each = slot(level);
    if (outline.places.size() > 1) drawing.labels.push_back({4.0, y + 4.0, outline.levels[level], "start"});
    for (std::size_t i = 0; i < of_level[level].size(); ++i) {
      const std::uint32_t place = of_level[level][i];
      const double x = left + (static_cast<double>(i) + 0.5) * each;
      const std::string& name = outline.places[place].label;
      const double wanted = std::max(38.0, character * static_cast<double>(name.size()) + 14.0);
      const double width = std::clamp(std::min(wanted, each - 4.0), 12.0, 220.0);
      centres[place] = {x, y};
      drawing.boxes.push_back(
          {x - width / 2, y - box_height / 2, width, box_height, fitting(name, width - 2.0), place});
    }
  }
}

void Levels::place_nodes() {
  std::size_t most = 1;
  for (const auto& cells : cells_on) most = std::max(most, cells.size());
  const double each = slot(0);
  const std::size_t columns = columns_of(most, std::max(size, each - 8.0), size);
  const double top = leaf_y + 40.0;
  block_bottom = top;
  for (const std::uint32_t place : of_level[0]) {
    const auto& cells = cells_on[place];
    if (cells.empty()) continue;
    const auto across = static_cast<double>(std::min(columns, cells.size()));
    const double wide = across * (size + gap) - gap, begin = centres[place].x - wide / 2;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::size_t rows_above = i / columns;
      const auto column = static_cast<double>(i % columns), row = static_cast<double>(rows_above);
      const auto& cell = outline.cells[cells[i]];
      const std::string text = cell.count == 1 && size >= 20.0 ? fitting(std::to_string(cell.first), size) : "";
      drawing.cells.push_back({begin + column * (size + gap), top + row * (size + gap), size, size, text, cells[i]});
    }
    const std::size_t rows = (cells.size() + columns - 1) / columns;
    const double tall = static_cast<double>(rows) * (size + gap) - gap;
    drawing.frames.push_back({begin - gap, top - gap, wide + 2 * gap, tall + 2 * gap, "", place});
    block_bottom = std::max(block_bottom, top + tall + gap);
  }
  if (size < 20.0) name_nodes();
}

/// The numbers of the nodes of a place below them; once for the leaves beside each other that have the same.
void Levels::name_nodes() {
  block_bottom += 18.0;
  drawing.labels.push_back({4.0, block_bottom - 3.0, "nodes", "start"});
  const auto range = [&](std::uint32_t place) {
    const auto& cells = cells_on[place];
    if (cells.empty()) return std::string{};
    return fmt::format("{}-{}", outline.cells[cells.front()].first, outline.cells[cells.back()].last);
  };
  double label_free = 0.0;
  const auto& leaves = of_level[0];
  for (std::size_t first = 0, end = 0; first < leaves.size(); first = end) {
    const std::string text = range(leaves[first]);
    while (end < leaves.size() && range(leaves[end]) == text) ++end;
    const double middle = (centres[leaves[first]].x + centres[leaves[end - 1]].x) / 2;
    const double half = 0.5 * character * static_cast<double>(text.size());
    if (text.empty() || middle - half < label_free) continue;
    label_free = middle + half + 8.0;
    drawing.labels.push_back({middle, block_bottom - 3.0, text, "middle"});
  }
}

void Levels::join() {
  for (std::uint32_t c = 0; c < outline.cables.size(); ++c) {
    const auto& cables = outline.cables[c];
    if (cables.from == cables.to) continue;
    ShapePoint a = centres[cables.from], b = centres[cables.to];
    ShapePoint bend{(a.x + b.x) / 2, (a.y + b.y) / 2};
    if (a.y == b.y) {  // beside each other: in an arc above those between
      a.y -= box_height / 2;
      b.y -= box_height / 2;
      bend.y = a.y - std::min(60.0, 18.0 + 0.1 * std::abs(a.x - b.x));
    }
    drawing.lines.push_back({a.x, a.y, bend.x, bend.y, b.x, b.y, c});
  }
}

NetworkDrawing in_levels(const NetworkOutline& outline) {
  Levels levels{.outline = outline};
  levels.sort_out();
  levels.place_switches();
  levels.place_nodes();
  levels.join();
  levels.drawing.width = levels.right + 12.0;
  levels.drawing.height = levels.block_bottom + 10.0;
  return std::move(levels.drawing);
}

}  // namespace

std::string fitting(const std::string& text, double width) {
  const auto fit = static_cast<std::size_t>(std::max(0.0, width / character));
  if (text.size() <= fit) return text;
  if (const auto dash = text.find('-'); dash <= fit && text.find_first_not_of("0123456789-") == std::string::npos)
    return text.substr(0, dash);  // of a range its beginning
  if (fit < 5) return "";
  std::size_t end = fit - 1;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) --end;  // not inside a character
  return text.substr(0, end) + "…";
}

NetworkDrawing draw_network(const NetworkOutline& outline) {
  switch (outline.form) {
    case NetworkForm::circle:
      return on_circle(outline);
    case NetworkForm::torus:
      return on_grid(outline);
    case NetworkForm::levels:
      break;
  }
  return in_levels(outline);
}

}  // namespace orrery::show
