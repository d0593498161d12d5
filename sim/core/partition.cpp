#include "sim/core/partition.hpp"

#include <fmt/format.h>

#include <unordered_set>

namespace orrery {

namespace {

/// Rectangles inside a grid tile it when their areas sum to its own and every corner belongs to an even number of
/// them, but for the four of the grid, which belong to one each.
bool is_tiling(const Partition& partition) {
  std::uint64_t covered = 0;
  std::unordered_set<std::uint64_t> odd;  // corners
  const auto toggle = [&](std::uint32_t x, std::uint32_t y) {
    if (const auto [at, fresh] = odd.insert(std::uint64_t{x} << 32 | y); !fresh) odd.erase(at);
  };
  for (const Rectangle& mine : partition.rectangles) {
    if (mine.right() > partition.columns || mine.bottom() > partition.rows) return false;
    covered += mine.area();
    if (mine.area() == 0) continue;
    for (const std::uint32_t x : {mine.x, mine.right()})
      for (const std::uint32_t y : {mine.y, mine.bottom()}) toggle(x, y);
  }
  if (covered == 0 || odd.size() != 4) return false;
  for (const std::uint32_t x : {0u, partition.columns})
    for (const std::uint32_t y : {0u, partition.rows})
      if (!odd.contains(std::uint64_t{x} << 32 | y)) return false;
  return covered == std::uint64_t{partition.columns} * partition.rows;
}

}  // namespace

std::string tiling_defect(const Partition& partition) {
  if (is_tiling(partition)) return {};
  std::uint64_t covered = 0;
  for (std::uint32_t r = 0; r < partition.ranks(); ++r) {
    const auto& mine = partition.rectangles[r];
    if (mine.right() > partition.columns || mine.bottom() > partition.rows)
      return fmt::format("rank {} reaches column {} row {}, outside the {} x {} grid", r, mine.right(), mine.bottom(),
                         partition.columns, partition.rows);
    covered += mine.area();
    for (std::uint32_t other = 0; other < r; ++other)
      if (shared_rows(mine, partition.rectangles[other]) > 0 && shared_columns(mine, partition.rectangles[other]) > 0)
        return fmt::format("ranks {} and {} overlap at column {} row {}", other, r,
                           std::max(mine.x, partition.rectangles[other].x),
                           std::max(mine.y, partition.rectangles[other].y));
  }
  const std::uint64_t wanted = std::uint64_t{partition.columns} * partition.rows;
  if (covered != wanted) return fmt::format("the rectangles cover {} of {} blocks", covered, wanted);
  return {};
}

}  // namespace orrery
