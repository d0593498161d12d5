#include "kernels/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace orrery {

namespace {

std::vector<Rank> occupied(const Partition& partition) {
  std::vector<Rank> ranks;
  for (std::uint32_t r = 0; r < partition.ranks(); ++r)
    if (partition.rectangles[r].area() > 0) ranks.push_back(Rank{r});
  return ranks;
}

/// Calls `touch(a, b)` for every pair of which b begins where a ends, along one direction.
template <class End, class Begin, class Across, class AcrossEnd, class Touch>
void for_each_contact(const Partition& partition, End end, Begin begin, Across across, AcrossEnd across_end,
                      Touch touch) {
  std::map<std::uint32_t, std::vector<Rank>> starting;  // at this coordinate, sorted across
  for (const Rank rank : occupied(partition)) starting[begin(partition.of(rank))].push_back(rank);
  for (auto& [at, ranks] : starting)
    std::ranges::sort(ranks, {}, [&](Rank rank) { return across(partition.of(rank)); });
  for (const Rank rank : occupied(partition)) {
    const Rectangle& mine = partition.of(rank);
    const auto found = starting.find(end(mine));
    if (found == starting.end()) continue;
    const auto& ranks = found->second;
    auto peer = std::ranges::lower_bound(ranks, across(mine) + 1, {},
                                         [&](Rank other) { return across_end(partition.of(other)); });
    for (; peer != ranks.end() && across(partition.of(*peer)) < across_end(mine); ++peer) touch(rank, *peer);
  }
}

std::uint32_t left(const Rectangle& r) { return r.x; }
std::uint32_t right(const Rectangle& r) { return r.right(); }
std::uint32_t top(const Rectangle& r) { return r.y; }
std::uint32_t bottom(const Rectangle& r) { return r.bottom(); }

std::string column_defect(const Partition& partition, const PartitionColumn& column) {
  std::uint32_t row = 0;
  for (const Rank rank : column.by_row) {
    if (partition.of(rank).y != row) break;
    row = partition.of(rank).bottom();
  }
  if (row == partition.rows) return {};
  return fmt::format("the rectangles at columns {}..{} end at row {} of {}", column.x, column.x + column.width - 1, row,
                     partition.rows);
}

}  // namespace

std::vector<PartitionColumn> partition_columns(const Partition& partition, std::string& defect) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, PartitionColumn> columns;
  for (const Rank rank : occupied(partition)) {
    const Rectangle& mine = partition.of(rank);
    auto& column = columns[{mine.x, mine.width}];
    column.x = mine.x;
    column.width = mine.width;
    column.by_rank.push_back(rank);
  }
  std::vector<PartitionColumn> result;
  std::uint32_t x = 0;
  for (auto& [place, column] : columns) {
    if (column.x != x) {
      defect = fmt::format("column {} does not stand in one column of rectangles", std::min(x, column.x));
      return {};
    }
    x += column.width;
    column.by_row = column.by_rank;
    std::ranges::sort(column.by_row, {}, [&](Rank rank) { return partition.of(rank).y; });
    defect = column_defect(partition, column);
    if (!defect.empty()) return {};
    result.push_back(std::move(column));
  }
  return result;
}

void append_row_overlaps(const Partition& partition, const PartitionColumn& column, const Rectangle& mine,
                         std::vector<Overlap>& into) {
  auto peer =
      std::ranges::lower_bound(column.by_row, mine.y + 1, {}, [&](Rank rank) { return partition.of(rank).bottom(); });
  for (; peer != column.by_row.end() && partition.of(*peer).y < mine.bottom(); ++peer)
    into.push_back({*peer, shared_rows(mine, partition.of(*peer))});
}

std::vector<std::vector<Overlap>> edge_neighbours(const Partition& partition) {
  std::vector<std::vector<Overlap>> result(partition.ranks());
  const auto join = [&](Rank a, Rank b, std::uint32_t length) {
    result[index(a)].push_back({b, length});
    result[index(b)].push_back({a, length});
  };
  for_each_contact(partition, right, left, top, bottom,
                   [&](Rank a, Rank b) { join(a, b, shared_rows(partition.of(a), partition.of(b))); });
  for_each_contact(partition, bottom, top, left, right,
                   [&](Rank a, Rank b) { join(a, b, shared_columns(partition.of(a), partition.of(b))); });
  for (auto& neighbours : result) std::ranges::sort(neighbours, {}, &Overlap::peer);
  return result;
}

}  // namespace orrery
