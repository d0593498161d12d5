/// Slices of whole rows, so high that all ranks end together though their speed depends on the height.
///
///   x_i / s_i(x_i) = T  for all i,  sum x_i = n        points of the curves s_i on one straight line through the
///   origin
///
///   x_i  rows    1         height of the slice of rank i
///   s_i  blocks  blocks/s  its speed on a slice of that height (PartitionProblem::speed)
///   T    s       s         time of one iteration, whose inverse is the slope of the line
///   n    rows    1         height of the grid
///
/// T is halved towards the least at which the slices that end within it reach n; the height that fits into T is found
/// by halving, too, among whole numbers. Rows beyond n at that T are taken from the highest rank number down.
///
/// Source   Lastovetsky & Reddy, IJHPCA 21(1), 2007 (a line through the origin cuts the curves)
/// Valid    where the time x / s(x) grows with x; then no partition into slices ends earlier
/// Differs  the source halves the angle between two lines and rounds at the end; here heights are whole throughout
/// Checked  tests/unit/models/partition/geometric_test.cpp, tests/contract/every_partitioner_test.cpp
#include <fmt/format.h>

#include <cmath>
#include <numeric>

#include "models/partition/apportion.hpp"
#include "models/partition/partitioner.hpp"
#include "sim/core/error.hpp"

namespace orrery {

namespace {

class Slices {
 public:
  explicit Slices(const PartitionProblem& problem) : problem_(problem) {}

  /// Height of each slice, adding up to all rows.
  std::vector<std::uint32_t> heights() const {
    const double enough = bracket();
    double low = 0.0, high = enough;
    for (double middle = high / 2.0; low < middle && middle < high && high - low > 1e-15 * high;
         middle = low + (high - low) / 2.0)
      (covers(within(middle)) ? high : low) = middle;
    auto heights = within(high);
    auto over = std::accumulate(heights.begin(), heights.end(), std::uint64_t{0}) - problem_.grid.rows;
    const auto sure = within(low);  // the rows between are those that end at T itself
    for (std::size_t i = heights.size(); over > 0 && i-- > 0;)
      for (; over > 0 && heights[i] > sure[i]; --over) --heights[i];
    return heights;
  }

 private:
  double time(std::size_t rank, std::uint32_t rows) const {
    return problem_.time(Rank{static_cast<std::uint32_t>(rank)}, {double{1} * problem_.grid.columns, double{1} * rows});
  }

  /// Greatest heights that end within a time.
  std::vector<std::uint32_t> within(double time_max) const {
    std::vector<std::uint32_t> heights(problem_.ranks(), 0);
    for (std::size_t i = 0; i < heights.size(); ++i) {
      if (problem_.speeds[i] == 0.0) continue;
      std::uint32_t above = problem_.grid.rows;  // heights[i] fits, above + 1 is not asked
      while (heights[i] < above) {
        const std::uint32_t middle = above - (above - heights[i]) / 2;
        if (time(i, middle) <= time_max)
          heights[i] = middle;
        else
          above = middle - 1;
      }
    }
    return heights;
  }

  bool covers(const std::vector<std::uint32_t>& heights) const {
    return std::accumulate(heights.begin(), heights.end(), std::uint64_t{0}) >= problem_.grid.rows;
  }

  /// A time within which the ranks cover the grid.
  double bracket() const {
    double enough = 0.0;
    for (std::size_t i = 0; i < problem_.speeds.size(); ++i)
      if (const double one = time(i, 1); problem_.speeds[i] > 0.0 && std::isfinite(one) && one > 0.0)
        enough = enough == 0.0 ? one : std::min(enough, one);
    for (; enough > 0.0 && std::isfinite(enough); enough *= 2.0)
      if (covers(within(enough))) return enough;
    throw DomainError(
        fmt::format("geometric: the speeds leave rows of {} to nobody (a finite time for some slices that "
                    "cover the grid). Check the compute model?",
                    problem_.grid.rows));
  }

  const PartitionProblem& problem_;
};

Partition geometric(const PartitionProblem& problem) {
  check_speeds("geometric", problem.speeds);
  return slices_of(problem.grid, Slices(problem).heights());
}

const bool entered = partitioners().add({
    .name = "geometric",
    .summary = "slices of whole rows that end together by speeds that depend on their height",
    .source = "Lastovetsky & Reddy, IJHPCA 21(1), 2007",
    .asks = PartitionerEntry::Asks::speed_of_size,
    .make = geometric,
});

}  // namespace

}  // namespace orrery
