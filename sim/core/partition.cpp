#include "sim/core/partition.hpp"

#include <fmt/format.h>

namespace orrery {

std::string tiling_defect(const Partition& partition) {
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
