/// A table for the terminal: columns aligned by width, wrapped by whole groups when the terminal is too narrow.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace orrery::report {

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

/// Columns of text a UTF-8 string takes (one per code point; we print no wide characters).
std::size_t text_width(const std::string& text);

/// Width of all columns side by side.
std::size_t total_width(const std::vector<Column>& columns);

/// The leading `repeated` columns open every block; the others follow in as many blocks as `width` needs, no group
/// split. `color` adds ANSI escapes.
std::string render(const std::vector<Column>& columns, std::size_t repeated, std::size_t width, bool color);

/// Text broken at blanks to `width`; continuation lines start with `indent`.
std::string wrapped(const std::string& text, std::size_t width, const std::string& indent = "");

std::string bold(const std::string& text, bool color);

}  // namespace orrery::report
