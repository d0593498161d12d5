/// A chart for a paper: numbers against numbers as lines with markers; numbers against categories as bars or, on a
/// logarithmic axis and for many series, as adjacent markers without lines. Greys, dashes and markers distinguish the
/// series, so that the chart survives photocopying.
///
///   draw({.title = "FFT", .x = {"ranks"}, .y = {"run time (ms)"}, .series = {{"simulated", {{8, 12.1}, {16, 6.3}}}}})
///
///   width   single column 88 mm (250 pt), double 180 mm; words of 7 to 8 pt
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/show/charts/drawing.hpp"
#include "sim/show/charts/svg.hpp"

namespace orrery::show::paper {

inline constexpr double points_per_mm = 72.0 / 25.4;
inline constexpr double single_column = 88.0 * points_per_mm, double_column = 180.0 * points_per_mm;

/// Smallest and largest of the measured or repeated values.
struct Bar {
  double least = 0.0, most = 0.0;
};

struct ChartPoint {
  double x = 0.0;  ///< of a category: its index
  double y = 0.0;
  std::optional<Bar> bar = {};
};

struct ChartSeries {
  std::string name;
  std::vector<ChartPoint> points = {};  ///< in order of x
  bool line = true, markers = true;     ///< for numbers against numbers
};

struct ChartAxis {
  std::string title = {};  ///< with the unit: "run time (ms)"
  bool log = false;
  double least = 0.0, most = 1.0;
  std::vector<Tick> ticks = {};
};

struct Chart {
  std::string name;   ///< of its file: "time-infiniband"
  std::string title;  ///< metadata of the file, not drawn: papers have captions
  ChartAxis x, y;
  std::vector<std::string> categories;  ///< of x; empty: numbers
  std::vector<ChartSeries> series;
  std::vector<std::string> bars = {};  ///< meaning of the error bars, metadata of the file
  double width = single_column;
};

Drawing draw(const Chart& chart);

/// Curves of one kind, with their own ranges and ticks: x logarithmic, y if `log_y`. Points that a logarithmic axis
/// cannot show are left out.
Chart curves(std::string title, std::vector<ChartSeries> series, std::string x, std::string y, bool log_y);

/// Several charts one below the other in one file, each with its title.
std::string stacked_svg(const std::vector<Chart>& charts, const std::string& title);

/// "error bars: 5 % to 95 % of 20 repetitions"; empty if the chart has none.
std::string words_of_bars(const Chart& chart);

/// Ranges and ticks for the numbers of all charts, so that they have one scale and can be compared. An axis is
/// logarithmic on request, else if its numbers span more than a factor of 30; a linear y axis begins at `least_y`.
struct ScaleWish {
  std::optional<bool> log_x, log_y;
  double least_y = 0.0;  ///< start of a linear axis: 1 for ratios
};
void scale_together(std::vector<Chart>& charts, const ScaleWish& wish);

/// "12", "0.005", "20 000"; "10⁶" and "2×10⁶" from a million on and below a thousandth.
std::string number_label(double value);

}  // namespace orrery::show::paper
