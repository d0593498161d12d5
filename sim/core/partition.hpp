/// Who owns which rectangle of a grid of blocks (SUMMA) or points (Wave2D).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/ids.hpp"

namespace orrery {

/// Size of the divided grid, in blocks or points.
struct GridSize {
  std::uint32_t columns = 0, rows = 0;
};

/// The size of a share of the grid, wherever it lies. Not an integer: a partitioner may ask between two blocks.
struct ShareSize {
  double columns = 0.0, rows = 0.0;

  double blocks() const { return columns * rows; }
};

/// Columns [x, x + width) by rows [y, y + height), in blocks.
struct Rectangle {
  std::uint32_t x = 0, y = 0, width = 0, height = 0;

  std::uint32_t right() const { return x + width; }
  std::uint32_t bottom() const { return y + height; }
  std::uint64_t area() const { return std::uint64_t{width} * height; }
  bool has_column(std::uint32_t column) const { return x <= column && column < right(); }
  bool has_row(std::uint32_t row) const { return y <= row && row < bottom(); }
  ShareSize size() const { return {double{1} * width, double{1} * height}; }
};

/// Rows (columns) that two rectangles have in common.
inline std::uint32_t shared_rows(const Rectangle& a, const Rectangle& b) {
  const auto first = std::max(a.y, b.y), last = std::min(a.bottom(), b.bottom());
  return last > first ? last - first : 0;
}
inline std::uint32_t shared_columns(const Rectangle& a, const Rectangle& b) {
  const auto first = std::max(a.x, b.x), last = std::min(a.right(), b.right());
  return last > first ? last - first : 0;
}

struct Partition {
  std::uint32_t columns = 0, rows = 0;  ///< size of the grid in blocks
  std::vector<Rectangle> rectangles;    ///< [ranks], disjoint, covering the grid

  std::uint32_t ranks() const { return static_cast<std::uint32_t>(rectangles.size()); }
  const Rectangle& of(Rank rank) const { return rectangles[index(rank)]; }
};

/// Empty if the rectangles tile the grid exactly; otherwise what is wrong, with rank and block.
std::string tiling_defect(const Partition& partition);

}  // namespace orrery
