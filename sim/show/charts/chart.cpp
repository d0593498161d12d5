#include "sim/show/charts/chart.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

namespace orrery::show::paper {

namespace {

constexpr double words_size = 8.0, tick_size = 7.0, tick_length = 3.0, small_tick = 1.6, thin = 0.5, line = 1.0;
constexpr double marker = 2.1, bar_end = 1.4 * marker + 1.4;  // the widest marker reaches 1.4 of that
constexpr std::size_t bar_series_max = 4, bar_categories_max = 12;
constexpr double slope = 40.0;  // degrees, of categories too long to lie side by side

enum class Shape : unsigned char { disc, square, triangle, diamond, down, cross, plus };
struct Style {
  double grey;
  std::vector<double> dashes;
  Shape shape;
  bool hollow;
  double fill;  ///< grey of a bar
};

const Style& style_of(std::size_t n) {
  static const std::vector<Style> styles{{0.0, {}, Shape::disc, false, 0.25},
                                         {0.0, {4, 2}, Shape::square, true, 1.0},
                                         {0.45, {}, Shape::triangle, false, 0.6},
                                         {0.0, {1, 1.6}, Shape::diamond, true, 0.85},
                                         {0.45, {5, 1.6, 1, 1.6}, Shape::down, false, 0.4},
                                         {0.3, {2.4, 1.4}, Shape::disc, true, 0.95},
                                         {0.45, {7, 2}, Shape::cross, true, 0.7},
                                         {0.0, {5, 1.6, 1, 1.6}, Shape::plus, true, 0.5}};
  return styles[n % styles.size()];
}

struct Frame {
  double left, right, top, bottom;
};

struct Map {
  const ChartAxis& axis;
  double from, to;
  double operator()(double value) const {
    const double share = axis.log ? std::log(value / axis.least) / std::log(axis.most / axis.least)
                                  : (value - axis.least) / (axis.most - axis.least);
    return from + share * (to - from);
  }
};

bool shows(const ChartAxis& axis, double value) { return std::isfinite(value) && (!axis.log || value > 0.0); }

void add_marker(Drawing& drawing, const Style& style, Coordinates at) {
  const Pen pen{.width = 0.8, .grey = style.grey};
  const std::optional<double> fill = style.hollow ? 1.0 : style.grey;
  const double r = marker;
  const auto polygon = [&](std::vector<Coordinates> places) {
    for (Coordinates& place : places) place.x += at.x, place.y += at.y;
    drawing.shapes.emplace_back(Path{.places = std::move(places), .closed = true, .pen = pen, .fill = fill});
  };
  const auto stroke = [&](Coordinates a, Coordinates b) {
    drawing.shapes.emplace_back(Path{.places = {{at.x + a.x, at.y + a.y}, {at.x + b.x, at.y + b.y}}, .pen = pen});
  };
  switch (style.shape) {
    case Shape::disc:
      drawing.shapes.emplace_back(Disc{at, r, pen, fill});
      return;
    case Shape::square:
      return polygon({{-r, -r}, {r, -r}, {r, r}, {-r, r}});
    case Shape::triangle:
      return polygon({{0, -1.3 * r}, {1.2 * r, 0.9 * r}, {-1.2 * r, 0.9 * r}});
    case Shape::diamond:
      return polygon({{0, -1.4 * r}, {1.4 * r, 0}, {0, 1.4 * r}, {-1.4 * r, 0}});
    case Shape::down:
      return polygon({{0, 1.3 * r}, {1.2 * r, -0.9 * r}, {-1.2 * r, -0.9 * r}});
    case Shape::cross:
      stroke({-r, -r}, {r, r});
      return stroke({-r, r}, {r, -r});
    case Shape::plus:
      stroke({-1.3 * r, 0}, {1.3 * r, 0});
      return stroke({0, -1.3 * r}, {0, 1.3 * r});
  }
}

void add_words(Drawing& drawing, Coordinates at, const std::string& text, double size, Anchor anchor,
               double angle = 0.0) {
  drawing.shapes.emplace_back(Words{at, text, size, anchor, angle});
}

void add_line(Drawing& drawing, Coordinates a, Coordinates b, double width = thin) {
  drawing.shapes.emplace_back(Path{.places = {a, b}, .pen = {.width = width}});
}

bool as_bars(const Chart& chart) {
  return !chart.categories.empty() && !chart.y.log && chart.y.least <= 0.0 && chart.series.size() <= bar_series_max &&
         chart.categories.size() <= bar_categories_max;
}

/// Entries of the legend in rows as wide as the picture; one series needs none.
struct Legend {
  struct Entry {
    std::size_t series, row;
    double x;
  };
  static constexpr double gap = 10.0, row_height = 10.0;
  double swatch = 20.0;  ///< narrower where no line needs room for its dashes
  std::vector<Entry> entries;
  std::size_t rows = 0;
};

Legend legend_of(const Chart& chart, double left, double right) {
  Legend legend;
  if (chart.series.size() < 2) return legend;
  if (!chart.categories.empty()) legend.swatch = 10.0;
  double x = left;
  legend.rows = 1;
  for (std::size_t n = 0; n < chart.series.size(); ++n) {
    const double width = legend.swatch + 3.0 + words_width(chart.series[n].name, tick_size);
    if (x > left && x + width > right) x = left, ++legend.rows;
    legend.entries.push_back({n, legend.rows - 1, x});
    x += width + Legend::gap;
  }
  return legend;
}

void add_legend(Drawing& drawing, const Chart& chart, const Legend& legend, double top) {
  const bool bars = as_bars(chart), lines = chart.categories.empty();
  for (const auto& entry : legend.entries) {
    const Style& style = style_of(entry.series);
    const double y = top + Legend::row_height * (static_cast<double>(entry.row) + 0.5);
    const double middle = entry.x + legend.swatch / 2;
    if (bars) {
      drawing.shapes.emplace_back(
          Path{.places = {{middle - 5, y - 3}, {middle + 5, y - 3}, {middle + 5, y + 3}, {middle - 5, y + 3}},
               .closed = true,
               .pen = {.width = thin},
               .fill = style.fill});
    } else {
      if (lines && chart.series[entry.series].line)
        drawing.shapes.emplace_back(Path{.places = {{entry.x, y}, {entry.x + legend.swatch, y}},
                                         .pen = {.width = line, .grey = style.grey, .dashes = style.dashes}});
      if (chart.series[entry.series].markers) add_marker(drawing, style, {middle, y});
    }
    add_words(drawing, {entry.x + legend.swatch + 3.0, y + 2.5}, chart.series[entry.series].name, tick_size,
              Anchor::start);
  }
}

/// Its ends are wider than any marker, so that they show beside one that hides all else; where it lies on a bar, white
/// beneath parts them.
void add_error_bar(Drawing& drawing, const Map& y, double x, const Bar& bar, bool on_bar = false) {
  const double least = y(bar.least), most = y(bar.most);
  const auto lines = [&](const Pen& pen) {
    for (const auto& [a, b] : {std::pair{Coordinates{x, least}, Coordinates{x, most}},
                               {Coordinates{x - bar_end, least}, Coordinates{x + bar_end, least}},
                               {Coordinates{x - bar_end, most}, Coordinates{x + bar_end, most}}})
      drawing.shapes.emplace_back(Path{.places = {a, b}, .pen = pen});
  };
  if (on_bar) lines({.width = 2.0, .grey = 1.0});
  lines({.width = 0.6});
}

void add_y_axis(Drawing& drawing, const Chart& chart, const Frame& frame) {
  const Map y{chart.y, frame.bottom, frame.top};
  for (const auto& tick : chart.y.ticks) {
    const double at = y(tick.value), length = tick.label.empty() ? small_tick : tick_length;
    add_line(drawing, {frame.left - length, at}, {frame.left, at});
    if (!tick.label.empty())
      add_words(drawing, {frame.left - tick_length - 2.0, at + 2.5}, tick.label, tick_size, Anchor::end);
  }
  add_line(drawing, {frame.left, frame.top}, {frame.left, frame.bottom});
  add_words(drawing, {words_size, (frame.top + frame.bottom) / 2}, chart.y.title, words_size, Anchor::middle, -90.0);
}

/// Labels that would touch the one before are left out; their ticks stay.
void add_number_axis(Drawing& drawing, const Chart& chart, const Frame& frame) {
  const Map x{chart.x, frame.left, frame.right};
  double taken = -1e9;
  for (const auto& tick : chart.x.ticks) {
    const double at = x(tick.value), half = words_width(tick.label, tick_size) / 2;
    add_line(drawing, {at, frame.bottom}, {at, frame.bottom + (tick.label.empty() ? small_tick : tick_length)});
    if (tick.label.empty() || at - half < taken + 3.0) continue;
    taken = at + half;
    add_words(drawing, {at, frame.bottom + tick_length + tick_size}, tick.label, tick_size, Anchor::middle);
  }
}

double slot_width(const Chart& chart, const Frame& frame) {
  return (frame.right - frame.left) / static_cast<double>(std::max<std::size_t>(1, chart.categories.size()));
}

double longest_category(const Chart& chart) {
  double longest = 0.0;
  for (const auto& category : chart.categories) longest = std::max(longest, words_width(category, tick_size));
  return longest;
}

bool categories_slope(const Chart& chart, double slot) { return longest_category(chart) > slot - 2.0; }

void add_categories(Drawing& drawing, const Chart& chart, const Frame& frame) {
  const double slot = slot_width(chart, frame);
  const bool sloping = categories_slope(chart, slot);
  for (std::size_t c = 0; c < chart.categories.size(); ++c) {
    const double at = frame.left + slot * (static_cast<double>(c) + 0.5);
    add_line(drawing, {at, frame.bottom}, {at, frame.bottom + small_tick});
    if (sloping)
      add_words(drawing, {at + 2.0, frame.bottom + tick_length + 4.5}, chart.categories[c], tick_size, Anchor::end,
                -slope);
    else
      add_words(drawing, {at, frame.bottom + tick_length + tick_size}, chart.categories[c], tick_size, Anchor::middle);
  }
}

void add_lines(Drawing& drawing, const Chart& chart, const Frame& frame) {
  const Map x{chart.x, frame.left, frame.right}, y{chart.y, frame.bottom, frame.top};
  for (std::size_t n = chart.series.size(); n-- > 0;) {  // the first series on top
    const Style& style = style_of(n);
    Path path{.pen = {.width = line, .grey = style.grey, .dashes = style.dashes}};
    for (const auto& point : chart.series[n].points)
      if (shows(chart.x, point.x) && shows(chart.y, point.y)) path.places.push_back({x(point.x), y(point.y)});
    const auto places = path.places;
    if (chart.series[n].line) drawing.shapes.emplace_back(std::move(path));
    for (const auto& point : chart.series[n].points)
      if (point.bar && shows(chart.y, point.bar->least)) add_error_bar(drawing, y, x(point.x), *point.bar);
    for (std::size_t k = 0; k < places.size() && chart.series[n].markers; ++k) add_marker(drawing, style, places[k]);
  }
}

/// Series of one category beside each other, as bars from 0 or as markers.
void add_category_points(Drawing& drawing, const Chart& chart, const Frame& frame) {
  const Map y{chart.y, frame.bottom, frame.top};
  const double slot = slot_width(chart, frame), share = 0.78 * slot / static_cast<double>(chart.series.size());
  const double width = std::min(share, 22.0);
  const bool bars = as_bars(chart);
  for (std::size_t n = 0; n < chart.series.size(); ++n) {
    const Style& style = style_of(n);
    const double offset = (static_cast<double>(n) - (static_cast<double>(chart.series.size()) - 1.0) / 2.0) * width;
    for (const auto& point : chart.series[n].points) {
      if (!shows(chart.y, point.y)) continue;
      const double at = frame.left + slot * (point.x + 0.5) + offset, level = y(point.y);
      if (bars)
        drawing.shapes.emplace_back(Path{.places = {{at - width / 2, y(0.0)},
                                                    {at - width / 2, level},
                                                    {at + width / 2, level},
                                                    {at + width / 2, y(0.0)}},
                                         .closed = true,
                                         .pen = {.width = thin},
                                         .fill = style.fill});
      if (point.bar && shows(chart.y, point.bar->least)) add_error_bar(drawing, y, at, *point.bar, bars);
      if (!bars) add_marker(drawing, style, {at, level});
    }
  }
}

void move_down(Path& path, double by) {
  for (Coordinates& place : path.places) place.y += by;
}
void move_down(Disc& disc, double by) { disc.centre.y += by; }
void move_down(Words& words, double by) { words.at.y += by; }

double tick_width(const ChartAxis& axis) {
  double width = 0.0;
  for (const auto& tick : axis.ticks) width = std::max(width, words_width(tick.label, tick_size));
  return width;
}

}  // namespace

std::string words_of_bars(const Chart& chart) {
  std::string words;
  for (const auto& meaning : chart.bars) words += (words.empty() ? "error bars: " : "; ") + meaning;
  return words;
}

Drawing draw(const Chart& chart) {
  Drawing drawing{.width = chart.width, .title = chart.title, .shapes = {}, .description = words_of_bars(chart)};
  Frame frame{.left = words_size + 6.0 + tick_width(chart.y) + tick_length + 2.0,
              .right = chart.width - 6.0,
              .top = 0.0,
              .bottom = 0.0};
  if (chart.categories.empty() && !chart.x.ticks.empty())
    frame.right = chart.width - std::max(6.0, words_width(chart.x.ticks.back().label, tick_size) / 2 + 1.0);
  double below = tick_length + tick_size + 3.0;
  if (!chart.categories.empty() && categories_slope(chart, slot_width(chart, frame))) {
    const double radians = slope * std::numbers::pi / 180.0, longest = longest_category(chart);
    below = tick_length + 4.0 + longest * std::sin(radians) + tick_size * std::cos(radians);
    // The first label leans to the left of its tick, as far as the picture reaches.
    const double first = 0.5 / static_cast<double>(chart.categories.size());  // of the width between left and right
    frame.left = std::max(frame.left, (longest * std::cos(radians) + 2.0 - first * frame.right) / (1.0 - first));
  }
  const Legend legend = legend_of(chart, frame.left, chart.width - 2.0);
  const double plot_height = chart.width > 1.5 * single_column ? 0.36 * chart.width : 0.55 * chart.width;
  frame.top = 5.0 + Legend::row_height * static_cast<double>(legend.rows) + (legend.rows > 0 ? 3.0 : 0.0);
  frame.bottom = frame.top + plot_height;
  const bool titled = !chart.x.title.empty();
  drawing.height = frame.bottom + below + (titled ? words_size + 5.0 : 2.0);
  add_legend(drawing, chart, legend, 3.0);
  if (chart.categories.empty()) {
    add_number_axis(drawing, chart, frame);
    add_lines(drawing, chart, frame);
  } else {
    add_categories(drawing, chart, frame);
    add_category_points(drawing, chart, frame);
  }
  add_y_axis(drawing, chart, frame);
  add_line(drawing, {frame.left, frame.bottom}, {frame.right, frame.bottom});
  if (titled)
    add_words(drawing, {(frame.left + frame.right) / 2, drawing.height - 3.0}, chart.x.title, words_size,
              Anchor::middle);
  return drawing;
}

Chart curves(std::string title, std::vector<ChartSeries> series, std::string x, std::string y, bool log_y) {
  for (auto& one : series)
    std::erase_if(one.points, [&](const auto& point) { return !(point.x > 0.0) || (log_y && !(point.y > 0.0)); });
  std::vector<Chart> charts{{.name = {},
                             .title = std::move(title),
                             .x = {.title = std::move(x)},
                             .y = {.title = std::move(y)},
                             .categories = {},
                             .series = std::move(series),
                             .width = double_column}};
  scale_together(charts, {true, log_y});
  return std::move(charts.front());
}

std::string stacked_svg(const std::vector<Chart>& charts, const std::string& title) {
  constexpr double above = 2.5 * words_size;
  Drawing all{.width = 0.0, .title = title, .shapes = {}};
  for (const Chart& chart : charts) {
    Drawing one = draw(chart);
    add_words(all, {words_size, all.height + 1.7 * words_size}, chart.title, words_size, Anchor::start);
    const double down = all.height + above;
    for (auto& shape : one.shapes) {
      std::visit([&](auto& moved) { move_down(moved, down); }, shape);
      all.shapes.push_back(std::move(shape));
    }
    all.width = std::max(all.width, one.width);
    all.height = down + one.height;
  }
  return drawing_svg(all);
}

}  // namespace orrery::show::paper
