/// Columns of rectangles in proportion to the speeds, arranged so that the program is fastest by tau-Lop: which ranks share a column, not only how many columns there are.
///
///   start   for each number of columns the arrangement with the least sum of half-perimeters
///   move    two ranks of different columns are exchanged, or a rank goes to another column; the best of all such moves
///           is taken as long as the time falls
///   end     the fastest, when simulated, of all ends and of the columns with the least sum of half-perimeters
///           (models/partition/confirmed.hpp); without simulation the cheapest of all ends
///
/// Areas follow the speeds in every arrangement, so only communication changes: the volume, and the channels, because
/// ranks of one node in one column use memory where others use the network.
///
/// Source   Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, section 1 (the communication cost as what a partition is
///          chosen by); areas and columns: Beaumont, Boudet, Rastello & Robert, IEEE TPDS 12(10), 2001
/// Valid    where time_of is given. A descent: least of a neighbourhood, held against all arrangements for few ranks in
///          the test. Asks for at most questions_max times
/// Checked  tests/unit/models/partition/taulop_columns_test.cpp, tests/contract/every_partitioner_test.cpp
#include <algorithm>
#include <numeric>
#include <optional>

#include "models/partition/apportion.hpp"
#include "models/partition/columns.hpp"
#include "models/partition/confirmed.hpp"
#include "models/partition/partitioner.hpp"
#include "sim/core/error.hpp"

namespace orrery::taulop_columns_partitioner {

namespace {

constexpr std::size_t questions_max = 2000;
constexpr std::uint32_t starts_max = 16;  // columns

/// [columns] ranks, top to bottom.
using Arrangement = std::vector<std::vector<std::size_t>>;

class Search {
 public:
  explicit Search(const PartitionProblem& problem) : problem_(problem) {}

  /// The descents begin at the cheapest start, as the questions may run out.
  Partition best() {
    std::vector<std::pair<Seconds, Arrangement>> starts;
    const ColumnArrangements columns(problem_.grid, problem_.speeds);
    for (std::uint32_t c = 1; c <= std::min(problem_.ranks(), starts_max); ++c)
      if (const auto sizes = columns.best_of(c); !sizes.empty()) {
        Arrangement start = arrangement_of(columns.partition(sizes));
        const Seconds asked = time(start);
        starts.emplace_back(asked, std::move(start));
      }
    std::ranges::stable_sort(starts, {}, [](const auto& start) { return start.first; });
    if (starts.empty()) {  // more ranks than so many columns hold
      Arrangement start = arrangement_of(columns.partition(columns.best()));
      starts.emplace_back(time(start), start);
    }
    std::vector<std::pair<Seconds, Partition>> ends;
    for (auto& [asked, start] : starts) {
      descend(asked, std::move(start));
      ends.emplace_back(least_, partition(best_));
    }
    std::ranges::stable_sort(ends, {}, [](const auto& end) { return end.first; });
    std::vector<Partition> candidates;
    candidates.reserve(ends.size() + 1);
    for (auto& end : ends) candidates.push_back(std::move(end.second));
    candidates.push_back(columns.partition(columns.best()));
    return confirmed(problem_, "taulop-columns", candidates);
  }

 private:
  void descend(Seconds asked, Arrangement start) {
    least_ = asked;
    best_ = std::move(start);
    for (bool better = true; better && asked_ < questions_max;) {
      better = false;
      const Arrangement from = best_;
      for (std::size_t a = 0; a < from.size(); ++a)
        for (std::size_t i = 0; i < from[a].size(); ++i) better |= moves_of(from, a, i);
    }
  }

  /// Ranks by column and row.
  static Arrangement arrangement_of(const Partition& partition) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < partition.rectangles.size(); ++i)
      if (partition.rectangles[i].area() > 0) order.push_back(i);
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
      const Rectangle &left = partition.rectangles[a], &right = partition.rectangles[b];
      return std::pair(left.x, left.y) < std::pair(right.x, right.y);
    });
    Arrangement arrangement;
    std::optional<std::uint32_t> x;
    for (const std::size_t i : order) {
      if (x != partition.rectangles[i].x) arrangement.emplace_back();
      x = partition.rectangles[i].x;
      arrangement.back().push_back(i);
    }
    return arrangement;
  }

  /// Every place that rank i of column a could take, from the arrangement that the round began with.
  bool moves_of(const Arrangement& from, std::size_t a, std::size_t i) {
    bool better = false;
    for (std::size_t b = 0; b <= from.size() && asked_ < questions_max; ++b) {
      if (b == a) continue;
      if (b < from.size())
        for (std::size_t j = 0; b > a && j < from[b].size() && asked_ < questions_max; ++j) {
          Arrangement swapped = from;
          std::swap(swapped[a][i], swapped[b][j]);
          better |= take(std::move(swapped));
        }
      Arrangement moved = from;
      const std::size_t rank = moved[a][i];
      moved[a].erase(moved[a].begin() + static_cast<std::ptrdiff_t>(i));
      if (b == from.size()) moved.emplace_back();
      moved[b].push_back(rank);
      std::erase_if(moved, [](const auto& column) { return column.empty(); });
      better |= take(std::move(moved));
    }
    return better;
  }

  bool take(Arrangement candidate) {
    if (asked_ >= questions_max || !fits(candidate)) return false;
    const Seconds asked = time(candidate);
    if (!(asked < least_)) return false;
    least_ = asked;
    best_ = std::move(candidate);
    return true;
  }

  bool fits(const Arrangement& arrangement) const {
    return arrangement.size() <= problem_.grid.columns &&
           std::ranges::all_of(arrangement, [&](const auto& column) { return column.size() <= problem_.grid.rows; });
  }

  Seconds time(const Arrangement& arrangement) {
    ++asked_;
    return problem_.time_of(partition(arrangement));
  }

  Partition partition(const Arrangement& arrangement) const {
    Partition partition{problem_.grid.columns, problem_.grid.rows, std::vector<Rectangle>(problem_.ranks())};
    std::vector<double> sums;
    for (const auto& column : arrangement)
      sums.push_back(std::accumulate(column.begin(), column.end(), 0.0,
                                     [&](double sum, std::size_t i) { return sum + problem_.speeds[i]; }));
    const auto widths = apportion(problem_.grid.columns, sums);
    std::uint32_t x = 0;
    for (std::size_t c = 0; c < arrangement.size(); x += widths[c], ++c) {
      std::vector<double> speeds;
      for (const std::size_t i : arrangement[c]) speeds.push_back(problem_.speeds[i]);
      const auto heights = apportion(problem_.grid.rows, speeds);
      std::uint32_t y = 0;
      for (std::size_t k = 0; k < heights.size(); y += heights[k], ++k)
        partition.rectangles[arrangement[c][k]] = {x, y, widths[c], heights[k]};
    }
    return partition;
  }

  const PartitionProblem& problem_;
  Arrangement best_;
  Seconds least_;
  std::size_t asked_ = 0;
};

Partition taulop_columns(const PartitionProblem& problem) {
  check_speeds("taulop-columns", problem.speeds);
  if (!problem.time_of)
    throw DomainError(
        "taulop-columns: nobody tells the time of a candidate (it asks for it). Choose 'beaumont-columns'?");
  return Search(problem).best();
}

const bool entered = partitioners().add({
    .name = "taulop-columns",
    .summary = "columns of rectangles in the arrangement with the least predicted time, by moves of single ranks",
    .source = "Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, section 1; Beaumont, Boudet, Rastello & Robert, IEEE "
              "TPDS 12(10), "
              "2001",
    .asks = PartitionerEntry::Asks::time,
    .timed_by = "taulop",
    .make = taulop_columns,
});

}  // namespace

}  // namespace orrery::taulop_columns_partitioner
