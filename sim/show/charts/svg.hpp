/// Small helpers for all SVG drawings.
///
/// Colours are the eight of Okabe & Ito (2008), distinct in all common forms of colour blindness; markers and dashes
/// repeat the distinction for print. Drawings follow the reader's light or dark scheme through their own <style>.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace orrery::show {

/// Text made safe inside XML and HTML, in content and in quoted attributes.
std::string xml_escape(std::string_view text);

/// A coordinate with at most two decimals and no trailing zeros: "12", "0.5", "-3.25".
std::string svg_number(double value);

/// Style of the n-th series, cycling: colour, dash pattern (empty: solid) and marker shape.
enum class Marker : unsigned char { circle, square, triangle, diamond, cross, plus };
struct SeriesStyle {
  std::string_view color, dash;
  Marker marker;
};
SeriesStyle series_style(std::size_t n);

/// A marker of about 3 units radius centred on (x, y).
std::string marker_svg(Marker marker, double x, double y, std::string_view color);

/// Opening tag with title (for screen readers) and the style sheet all our drawings share; close with "</svg>".
/// Classes: `text`, `muted` (text), `grid`, `frame` (lines), `paper` (background).
std::string svg_open(double width, double height, const std::string& title);

struct Tick {
  double value = 0.0;
  std::string label;  ///< empty: a small tick between labelled ones
};
/// "20k", "1M"
std::string tick_label(double value);
/// Round values inside [least, most], about `wanted` of them with labels: steps of 1, 2 or 5 times a power of ten. If
/// `log`, powers of ten; over few decades 2 and 5 times them as well; and round steps if even that gives fewer than
/// three. The other digits are small ticks. The report uses the same rule for axes that change when a reader zooms
/// (page/html/ticks.js): one table of cases tests both.
///
/// Checked  tests/unit/show/ticks.json, by svg_test.cpp and, in a browser, by tests/browser/probe.js
std::vector<Tick> axis_ticks(double least, double most, bool log, int wanted = 6,
                             std::string (*label)(double) = tick_label);

}  // namespace orrery::show
