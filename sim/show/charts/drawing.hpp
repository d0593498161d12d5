/// A picture for print made of lines, discs and text in greys, and its output as SVG, PDF and PNG.
///
///   width, height, coordinates   pt    1 pt = 1/72 inch, y downwards
///   grey                         1     0 black .. 1 white
///
/// SVG keeps its words as text, so that it can be edited and searched; PDF embeds the font; PNG has 600 dots per inch,
/// also in its metadata. All use Helvetica or a metrically equal font (Liberation Sans, Arial); if none is installed,
/// words are narrowed to their measured width. Same picture, same bytes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace orrery::show::paper {

struct Coordinates {
  double x = 0.0, y = 0.0;
};

struct Pen {
  double width = 0.0;  ///< 0: no line
  double grey = 0.0;
  std::vector<double> dashes = {};  ///< lengths on, off, ...; empty: solid
};

struct Path {
  std::vector<Coordinates> places;
  bool closed = false;
  Pen pen;
  std::optional<double> fill = {};  ///< grey
};

struct Disc {
  Coordinates centre;
  double radius = 0.0;
  Pen pen;
  std::optional<double> fill = {};
};

enum class Anchor : unsigned char { start, middle, end };
struct Words {
  Coordinates at;  ///< on the baseline
  std::string text;
  double size = 8.0;
  Anchor anchor = Anchor::start;
  double angle = 0.0;  ///< degrees, clockwise
};

struct Drawing {
  double width = 0.0, height = 0.0;
  std::string title;  ///< metadata of the file, not drawn
  std::vector<std::variant<Path, Disc, Words>> shapes;
  std::string description = {};  ///< likewise: the meaning of error bars
};

/// Width of the text in Helvetica (Adobe font metrics); each character beyond ASCII counts as a digit.
double words_width(std::string_view text, double size);

std::string drawing_svg(const Drawing& drawing);
/// Throw InputError if the font or the picture cannot be made.
std::string drawing_pdf(const Drawing& drawing);
std::string drawing_png(const Drawing& drawing);

}  // namespace orrery::show::paper
