/// A table for the terminal: columns aligned by width; if the terminal is too narrow, wrapped by whole groups or
/// transposed.
#pragma once

#include <cstddef>
#include <limits>
#include <string>
#include <vector>

namespace orrery::show {

/// The width of a file or a pipe: no table is wrapped.
constexpr std::size_t unlimited_width = std::numeric_limits<std::size_t>::max();

/// Maximum width of sentences on any terminal: longer lines are hard to read.
constexpr std::size_t prose_width_max = 100;

enum class Tint : unsigned char { plain, good, fair, poor, faint };

struct Cell {
  std::string text;
  Tint tint = Tint::plain;
};

struct Column {
  std::string group;  ///< heading above; neighbours of one group stay together ("" for none)
  std::string header;
  bool right = true;  ///< aligned to the right (numbers)
  std::vector<Cell> cells;
};

/// Columns that a UTF-8 string takes (one per code point; we print no wide characters).
std::size_t text_width(const std::string& text);

/// Width of all columns side by side.
std::size_t total_width(const std::vector<Column>& columns);

/// The first `repeated` columns begin every block; the others follow in as many blocks as `width` needs, without
/// splitting a group. `color` adds ANSI escapes.
std::string render(const std::vector<Column>& columns, std::size_t repeated, std::size_t width, bool color);

/// Rows and columns exchanged: a row for each group, and a group of columns for each row, below its `repeated` cells
/// ("ranks 8, ethernet"). All columns except the repeated ones should have a group.
std::vector<Column> transposed(const std::vector<Column>& columns, std::size_t repeated);

/// All columns side by side if `width` allows; else wrapped or transposed, whichever takes fewer lines.
std::string fitted(const std::vector<Column>& columns, std::size_t repeated, std::size_t width, bool color);

/// Text broken at blanks to `width`, on a terminal to 100 columns at most; continuation lines start with `indent`.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent = "");

std::string bold(const std::string& text, bool color);

}  // namespace orrery::show
