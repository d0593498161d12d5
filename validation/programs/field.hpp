/// Points of a mesh that one rank holds: its rectangle and a margin around it, by the coordinates of the whole mesh.
/// What lies outside of the mesh is 0.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/partition.hpp"

namespace orrery::programs {

class Field {
 public:
  Field() = default;
  Field(const Rectangle& mine, std::uint32_t margin)
      : x_(std::int64_t{mine.x} - margin),
        y_(std::int64_t{mine.y} - margin),
        width_(std::int64_t{mine.width} + 2 * std::int64_t{margin}),
        values_(static_cast<std::size_t>(width_ * (std::int64_t{mine.height} + 2 * std::int64_t{margin})), 0.0) {}

  double* at(std::int64_t x, std::int64_t y) { return &values_[place(x, y)]; }
  const double* at(std::int64_t x, std::int64_t y) const { return &values_[place(x, y)]; }
  std::ptrdiff_t line() const { return width_; }

  /// The points of `part`, line by line.
  void pack(const Rectangle& part, std::vector<double>& into) const {
    into.resize(part.area());
    auto to = into.begin();
    for (std::uint32_t y = part.y; y < part.bottom(); ++y) to = std::copy_n(at(part.x, y), part.width, to);
  }
  void unpack(const Rectangle& part, std::span<const double> from) {
    const double* next = from.data();
    for (std::uint32_t y = part.y; y < part.bottom(); ++y, next += part.width)
      std::copy_n(next, part.width, at(part.x, y));
  }

 private:
  std::size_t place(std::int64_t x, std::int64_t y) const {
    return static_cast<std::size_t>((y - y_) * width_ + (x - x_));
  }

  std::int64_t x_ = 0, y_ = 0, width_ = 0;
  std::vector<double> values_;
};

/// How many points of `part` differ in any bit.
inline std::uint64_t different(const Field& a, const Field& b, const Rectangle& part) {
  std::uint64_t count = 0;
  for (std::uint32_t y = part.y; y < part.bottom(); ++y)
    for (std::uint32_t x = part.x; x < part.right(); ++x) count += *a.at(x, y) != *b.at(x, y) ? 1 : 0;
  return count;
}

inline Rectangle common_part(const Rectangle& a, const Rectangle& b) {
  return {std::max(a.x, b.x), std::max(a.y, b.y), shared_columns(a, b), shared_rows(a, b)};
}

}  // namespace orrery::programs
