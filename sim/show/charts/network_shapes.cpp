#include "sim/show/charts/network_shapes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace orrery::show {

namespace {

constexpr double shape_height = 20.0;

/// Angles of the places: evenly, with a gap between groups.
struct Circle {
  const NetworkOutline& outline;
  bool grouped;
  double step = 0.0, radius = 0.0;
  std::vector<double> angles = {};

  explicit Circle(const NetworkOutline& of) : outline(of), grouped(of.levels.size() > 1) {
    const auto places = static_cast<double>(of.places.size());
    const double groups = grouped ? static_cast<double>(of.levels.size()) : 0.0;
    step = 2.0 * std::numbers::pi / (places + 0.9 * groups);
    radius = std::max(130.0, 34.0 / step);
    double at = -std::numbers::pi / 2;
    for (std::size_t p = 0; p < of.places.size(); ++p) {
      if (p > 0) at += step * (grouped && of.places[p].level != of.places[p - 1].level ? 1.9 : 1.0);
      angles.push_back(at);
    }
  }
  ShapePoint at(double angle, double r) const { return {r * std::cos(angle), r * std::sin(angle)}; }
};

/// Cells of each place outward of it, ring by ring. How far out they reach.
double place_cells(NetworkDrawing& drawing, const Circle& circle) {
  const auto& outline = circle.outline;
  const double size = outline.cells.size() <= 64 ? 22.0 : 12.0,
               pitch = 1.42 * size;  // squares on a circle touch at 45 degrees
  const double first = circle.radius + shape_height + size;
  const double room = first * circle.step;
  const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor(room / pitch)));
  std::vector<std::size_t> placed(outline.places.size(), 0);
  double reach = circle.radius + shape_height;
  for (std::uint32_t c = 0; c < outline.cells.size(); ++c) {
    const auto& cell = outline.cells[c];
    const std::size_t i = placed[cell.place]++;
    const std::size_t ring = i / columns;
    const double r = first + static_cast<double>(ring) * pitch;
    const double aside = static_cast<double>(i % columns) - 0.5 * static_cast<double>(columns - 1);
    const ShapePoint middle = circle.at(circle.angles[cell.place] + aside * pitch / r, r);
    const std::string text = cell.count == 1 && size > 20.0 ? fitting(std::to_string(cell.first), size) : "";
    drawing.cells.push_back({middle.x - size / 2, middle.y - size / 2, size, size, text, c});
    reach = std::max(reach, r + size);
  }
  return reach;
}

void place_boxes(NetworkDrawing& drawing, const Circle& circle) {
  for (std::uint32_t p = 0; p < circle.outline.places.size(); ++p) {
    const std::string& label = circle.outline.places[p].label;
    const double room = std::max(26.0, 0.8 * circle.radius * circle.step);
    const double width = std::clamp(6.4 * static_cast<double>(label.size()) + 12.0, 26.0, std::min(room, 150.0));
    const ShapePoint at = circle.at(circle.angles[p], circle.radius);
    drawing.boxes.push_back(
        {at.x - width / 2, at.y - shape_height / 2, width, shape_height, fitting(label, width - 4.0), p});
  }
}

void name_groups(NetworkDrawing& drawing, const Circle& circle, double reach) {
  if (!circle.grouped) return;
  const auto& places = circle.outline.places;
  for (std::size_t first = 0, last = 0; first < places.size(); first = last) {
    while (last < places.size() && places[last].level == places[first].level) ++last;
    const double angle = (circle.angles[first] + circle.angles[last - 1]) / 2;
    const ShapePoint at = circle.at(angle, reach + 12.0);
    const double side = std::cos(angle);
    drawing.labels.push_back({at.x, at.y + 4.0, circle.outline.levels[places[first].level],
                              side > 0.3    ? "start"
                              : side < -0.3 ? "end"
                                            : "middle"});
  }
}

/// Moves a drawing made around the origin into the first quadrant.
void shift(NetworkDrawing& drawing, double dx, double dy) {
  for (auto* boxes : {&drawing.boxes, &drawing.cells, &drawing.frames})
    for (auto& box : *boxes) {
      box.x += dx;
      box.y += dy;
    }
  for (auto& line : drawing.lines) {
    line = {line.x + dx, line.y + dy, line.bend_x + dx, line.bend_y + dy, line.to_x + dx, line.to_y + dy, line.cables};
  }
  for (auto& label : drawing.labels) {
    label.x += dx;
    label.y += dy;
  }
}

/// Places of a torus: the first two dimensions are a layer, layers stand side by side; a cable of a further dimension
/// is a short diagonal at a corner of its own.
struct Grid {
  const NetworkOutline& outline;
  double size, pitch;
  std::uint32_t across, down;    ///< places of a layer
  std::uint32_t layers, in_row;  ///< and how many layers stand beside each other
  static constexpr double head = 22.0, edge = 16.0;

  explicit Grid(const NetworkOutline& of) : outline(of) {
    const auto& sizes = of.dimensions;
    across = sizes.empty() ? 1 : sizes[0];
    down = sizes.size() > 1 ? sizes[1] : 1;
    const auto places = static_cast<std::uint32_t>(of.places.size());
    layers = places / (across * down);
    size = places <= 81 ? 26.0 : 15.0;
    pitch = size * 1.8;
    const double wide = across * pitch + 2 * edge;
    in_row = std::clamp(static_cast<std::uint32_t>(1120.0 / wide), 1u, layers);
    if (sizes.size() > 2 && sizes[2] < in_row) in_row = in_row / sizes[2] * sizes[2];
    while (in_row > 1 && layers % in_row != 0) --in_row;
  }
  double width() const { return in_row * (across * pitch + 2 * edge); }
  double height() const {
    const std::uint32_t rows = (layers + in_row - 1) / in_row;
    return rows * (down * pitch + 2 * edge + head);
  }
  ShapePoint corner(std::uint32_t layer) const {
    const std::uint32_t column = layer % in_row, row = layer / in_row;
    return {column * (across * pitch + 2 * edge), row * (down * pitch + 2 * edge + head)};
  }
  ShapePoint centre(std::uint32_t place) const {
    const ShapePoint at = corner(place / (across * down));
    const std::uint32_t in_layer = place % (across * down), column = in_layer % across, row = in_layer / across;
    return {at.x + edge + (column + 0.5) * pitch, at.y + head + edge + (row + 0.5) * pitch};
  }
};

/// The dimension in which two places differ, and whether the cable goes round the edge.
std::pair<std::size_t, bool> direction(const std::vector<std::uint32_t>& sizes, std::uint32_t a, std::uint32_t b) {
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const std::uint32_t at_a = a % sizes[d], at_b = b % sizes[d];
    if (at_a != at_b) return {d, at_b - at_a > 1 && sizes[d] > 2};
    a /= sizes[d];
    b /= sizes[d];
  }
  return {0, false};
}

void add_cable(NetworkDrawing& drawing, const Grid& grid, std::uint32_t c) {
  const auto& cables = grid.outline.cables[c];
  if (cables.from == cables.to) return;
  const auto [d, round] = direction(grid.outline.dimensions, cables.from, cables.to);
  const ShapePoint a = grid.centre(cables.from), b = grid.centre(cables.to);
  const double half = grid.size / 2, stub = grid.pitch - grid.size;
  const auto line = [&](ShapePoint from, ShapePoint to) {
    drawing.lines.push_back({from.x, from.y, (from.x + to.x) / 2, (from.y + to.y) / 2, to.x, to.y, c});
  };
  if (d >= 2) {
    constexpr double corners[4][2] = {{1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    const auto& [x, y] = corners[(d - 2) % 4];
    const ShapePoint from = round ? b : a;  // the one from which it goes upwards
    return line({from.x + x * half, from.y + y * half},
                {from.x + x * (half + 0.55 * stub), from.y + y * (half + 0.55 * stub)});
  }
  const double dx = d == 0 ? 1.0 : 0.0, dy = d == 0 ? 0.0 : 1.0;
  if (!round) return line({a.x + dx * half, a.y + dy * half}, {b.x - dx * half, b.y - dy * half});
  line({a.x - dx * half, a.y - dy * half}, {a.x - dx * (half + 0.7 * stub), a.y - dy * (half + 0.7 * stub)});
  line({b.x + dx * half, b.y + dy * half}, {b.x + dx * (half + 0.7 * stub), b.y + dy * (half + 0.7 * stub)});
}

/// Its place in the dimensions after the first two; the word before it where there is but one.
std::string layer_label(const std::vector<std::uint32_t>& sizes, std::uint32_t layer) {
  std::string text = sizes.size() > 3 ? "" : "layer ";
  for (std::size_t d = 2; d < sizes.size(); ++d) {
    text += fmt::format("{}{}", d > 2 ? ", " : "", layer % sizes[d]);
    layer /= sizes[d];
  }
  return text;
}

}  // namespace

NetworkDrawing on_circle(const NetworkOutline& outline) {
  NetworkDrawing drawing;
  const Circle circle(outline);
  place_boxes(drawing, circle);
  const double reach = place_cells(drawing, circle);
  name_groups(drawing, circle, reach);
  for (std::uint32_t c = 0; c < outline.cables.size(); ++c) {
    const auto& cables = outline.cables[c];
    if (cables.from == cables.to) continue;
    const ShapePoint a = circle.at(circle.angles[cables.from], circle.radius);
    const ShapePoint b = circle.at(circle.angles[cables.to], circle.radius);
    drawing.lines.push_back({a.x, a.y, 0.38 * (a.x + b.x), 0.38 * (a.y + b.y), b.x, b.y, c});
  }
  const double aside = circle.grouped ? 70.0 : 24.0, margin = circle.grouped ? 30.0 : 12.0;
  shift(drawing, reach + aside, reach + margin);
  drawing.width = 2 * (reach + aside);
  drawing.height = 2 * (reach + margin);
  return drawing;
}

NetworkDrawing on_grid(const NetworkOutline& outline) {
  NetworkDrawing drawing;
  const Grid grid(outline);
  std::vector<std::uint32_t> cells_on(outline.places.size(), 0), placed = cells_on;
  for (const auto& cell : outline.cells) ++cells_on[cell.place];
  for (std::uint32_t p = 0; p < outline.places.size(); ++p) {
    const ShapePoint at = grid.centre(p);
    drawing.boxes.push_back({at.x - grid.size / 2, at.y - grid.size / 2, grid.size, grid.size, "", p});
  }
  for (std::uint32_t c = 0; c < outline.cells.size(); ++c) {
    const auto& cell = outline.cells[c];
    const ShapePoint at = grid.centre(cell.place);
    const double inside = grid.size - 6.0, wide = inside / cells_on[cell.place];
    const double x = at.x - inside / 2 + placed[cell.place]++ * wide;
    const std::string text = cell.count == 1 && wide >= 18.0 ? fitting(std::to_string(cell.first), wide + 4.0) : "";
    drawing.cells.push_back({x, at.y - inside / 2, wide, inside, text, c});
  }
  for (std::uint32_t c = 0; c < outline.cables.size(); ++c) add_cable(drawing, grid, c);
  for (std::uint32_t layer = 0; grid.layers > 1 && layer < grid.layers; ++layer) {
    const ShapePoint at = grid.corner(layer);
    drawing.labels.push_back({at.x + Grid::edge + 4.0, at.y + 16.0, layer_label(outline.dimensions, layer), "start"});
  }
  drawing.width = std::max(320.0, grid.width());
  drawing.height = grid.height();
  return drawing;
}

}  // namespace orrery::show
