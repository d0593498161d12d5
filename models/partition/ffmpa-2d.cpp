/// Columns of rectangles that end at the same time, by functional performance models in two parameters: FFMPA in two
/// dimensions.
///
///   1. all columns of the processor grid are equally wide
///   2. each column is divided by a line through the origin of its ranks' speeds at its width: s_i(w, .)
///   3. n_j = n sum_i s_ij(m_ij, n_j) / sum_j sum_i s_ij(m_ij, n_j)        widths in proportion to sums of speeds
///   4. go to 2 until the widths are those of an earlier round; the division with the smallest maximum time is taken
///
///   n_j   blocks    width of column j          m_ij  blocks  height of the rank in row i of it
///   s_ij  blocks/s  its speed on such a share
///
/// Source   Lastovetsky & Reddy, HeteroPar 2009, LNCS 6043, 2010; Lastovetsky, Reddy, Rychkov & Clarke (DFPA), section
///          3.2
/// Valid    speeds with the shape of models/processor/shape.hpp at each width. The source's claim that the widths
///          converge is not proved: near a step of a speed function they can alternate
/// Differs  which ranks share a column: models/partition/processor_grid.hpp
/// Checked  tests/unit/models/partition/two_dimensions_test.cpp, tests/contract/every_partitioner_test.cpp
#include <algorithm>
#include <limits>
#include <set>

#include "models/partition/apportion.hpp"
#include "models/partition/balanced_rows.hpp"
#include "models/partition/partitioner.hpp"
#include "models/partition/processor_grid.hpp"

namespace orrery::ffmpa_2d_partitioner {

namespace {

class Ffmpa2d {
 public:
  explicit Ffmpa2d(const PartitionProblem& problem)
      : problem_(problem), grid_(problem), takes_part_(taking_part(problem)), heights_(problem.ranks(), 0) {}

  Partition divide() {
    std::vector<std::uint32_t> widths = apportion(problem_.grid.columns, columns_taking_part());
    std::set<std::vector<std::uint32_t>> seen;
    Partition best;
    double least = std::numeric_limits<double>::infinity();
    while (seen.insert(widths).second) {
      for (std::size_t c = 0; c < widths.size(); ++c) divide_column(c, widths[c]);
      if (const double longest = longest_time(widths); best.rectangles.empty() || longest < least) {
        least = longest;
        best = grid_.partition(problem_.grid, widths, heights_);
      }
      widths = apportion(problem_.grid.columns, sums_of_speeds(widths));
    }
    return best;
  }

 private:
  static Rank rank_of(std::size_t i) { return Rank{static_cast<std::uint32_t>(i)}; }

  /// 1 for each column with a rank that takes part.
  std::vector<double> columns_taking_part() const {
    std::vector<double> weights;
    for (const auto& column : grid_.columns)
      weights.push_back(std::ranges::any_of(column, [&](std::size_t i) { return takes_part_[i]; }) ? 1.0 : 0.0);
    return weights;
  }

  void divide_column(std::size_t c, std::uint32_t width) {
    const auto& column = grid_.columns[c];
    if (width == 0) {
      for (const std::size_t i : column) heights_[i] = 0;
      heights_[column.front()] = problem_.grid.rows;  // of no width
      return;
    }
    std::vector<bool> takes;
    for (const std::size_t i : column) takes.push_back(takes_part_[i]);
    const auto time = [&](std::size_t k, std::uint32_t rows) {
      return problem_.time(rank_of(column[k]), {double{1} * width, double{1} * rows});
    };
    const auto rows = balanced_rows(problem_.grid.rows, takes, time, "ffmpa-2d");
    for (std::size_t k = 0; k < column.size(); ++k) heights_[column[k]] = rows[k];
  }

  /// A rank without rows counts with its speed on one: it may get some when its column is narrower.
  std::vector<double> sums_of_speeds(const std::vector<std::uint32_t>& widths) const {
    std::vector<double> sums;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      double sum = 0.0;
      for (const std::size_t i : grid_.columns[c])
        if (takes_part_[i])
          sum += problem_.speed_of(rank_of(i), {std::max(1.0, double{1} * widths[c]),
                                                widths[c] == 0 ? 1.0 : std::max(1.0, double{1} * heights_[i])});
      sums.push_back(sum);
    }
    return sums;
  }

  double longest_time(const std::vector<std::uint32_t>& widths) const {
    double longest = 0.0;
    for (std::size_t c = 0; c < widths.size(); ++c)
      for (const std::size_t i : grid_.columns[c])
        if (widths[c] > 0 && heights_[i] > 0)
          longest = std::max(longest, problem_.time(rank_of(i), {double{1} * widths[c], double{1} * heights_[i]}));
    return longest;
  }

  const PartitionProblem& problem_;
  ProcessorGrid grid_;
  std::vector<bool> takes_part_;
  std::vector<std::uint32_t> heights_;  ///< [ranks]
};

const bool entered = partitioners().add({
    .name = "ffmpa-2d",
    .summary = "columns of rectangles on a grid of ranks that end together, by speeds that depend on both sides",
    .source = "Lastovetsky & Reddy, HeteroPar 2009; Lastovetsky, Reddy, Rychkov & Clarke (DFPA), section 3.2",
    .asks = PartitionerEntry::Asks::speed_of_size,
    .make =
        [](const PartitionProblem& problem) {
          check_speeds("ffmpa-2d", problem.speeds);
          return Ffmpa2d(problem).divide();
        },
});

}  // namespace

}  // namespace orrery::ffmpa_2d_partitioner
