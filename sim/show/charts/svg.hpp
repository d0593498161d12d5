/// Small helpers for every drawer of SVG.
///
/// Colours are the eight of Okabe & Ito (2008), told apart by all common forms of colour blindness; markers and dashes
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

/// How the n-th series looks, cycling: colour, dash pattern (empty: solid) and marker shape.
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
/// Round values that cover [least, most], about `wanted` of them with labels. When `log` decades have one; with few of
/// them 2 and 5 as well, or 1 to 6 and 8 within one; the other digits are small ticks. Where that labels fewer than two,
/// round steps as on a linear axis.
std::vector<Tick> axis_ticks(double least, double most, bool log, int wanted = 6,
                             std::string (*label)(double) = tick_label);

}  // namespace orrery::show
