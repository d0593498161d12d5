/// Columns of rectangles that end at the same time, by speeds measured during the division: DFPA in two dimensions.
///
///   1. all columns of the processor grid are equally wide, all rows of it equally high
///   2. in each column DFPA divides the rows, in all columns at the same time
///   3. if max |t_ij - t_xy| / t_ij <= epsilon over the whole grid: done. Else the widths are balanced,
///      n_j = n sum_i s_ij / sum_jy s_iy with s_ij = m_ij n_j / t_ij
///   4. go to 2
///
/// Its four economies:
///   - measurements at other widths are used: a point (w', h') counts as height h' w'/w at width w, a task with the
///     same number of blocks, until something nearer is measured at w itself
///   - columns whose widths would all change by less than epsilon keep them
///   - DFPA starts from the heights of the round before
///   - a benchmark is cut off after three times the longest time of the best round so far: its progress until then
///     gives its speed. Only its cost is lower
///
///   n_j   blocks  width of column j            t_ij  s  time of the rank in row i of column j
///   m_ij  blocks  its height                   s_ij  blocks/s  its speed on that share
///
/// Source   Lastovetsky, Reddy, Rychkov & Clarke, "Design and implementation of self-adaptable parallel algorithms for
///          scientific computing on highly heterogeneous HPC platforms", section 3.2
/// Valid    as dfpa-1d at each width
/// Differs  the paper keeps the width of each column that would change little; here one that changes much moves all.
///          It ends, too, where widths come up again (whole blocks cannot be balanced to epsilon), with the best
///          division measured. The columns' inner rounds are run side by side; one whose shares were run before waits.
///          `PartitionRound::columns` counts those that ran: the paper's iterations, where they are summed over columns
/// Checked  tests/unit/models/partition/two_dimensions_test.cpp, tests/contract/every_partitioner_test.cpp
#include <algorithm>
#include <cmath>
#include <set>

#include "models/partition/apportion.hpp"
#include "models/partition/partitioner.hpp"
#include "models/partition/processor_grid.hpp"
#include "models/partition/rounds.hpp"

namespace orrery::dfpa_2d_partitioner {

namespace {

constexpr double cut_off_at = 3.0;  // times the longest of the best round

using Numbers = std::vector<std::uint32_t>;

struct Measured {
  double width, height, speed;  ///< blocks/s
};

class Dfpa2d {
 public:
  explicit Dfpa2d(const PartitionProblem& problem)
      : problem_(problem),
        grid_(problem),
        takes_part_(taking_part(problem)),
        measured_(problem.ranks()),
        heights_(problem.ranks(), 0),
        ran_(problem.ranks()),
        times_(problem.ranks()) {}

  Partition divide() {
    Numbers widths = apportion(problem_.grid.columns, columns_taking_part());
    for (const auto& column : grid_.columns) start_even(column);
    std::set<std::pair<Numbers, Numbers>> seen;
    for (; seen.insert({widths, heights_}).second; ++outer_) {
      const BenchmarkRun run = balance_columns(widths);
      if (imbalance_of(run) <= problem_.accuracy) return grid_.partition(problem_.grid, widths, heights_);
      widths = balanced_widths(widths, run);
    }
    return best_;
  }

 private:
  std::vector<double> columns_taking_part() const {
    std::vector<double> weights;
    for (const auto& column : grid_.columns)
      weights.push_back(std::ranges::any_of(column, [&](std::size_t i) { return takes_part_[i]; }) ? 1.0 : 0.0);
    return weights;
  }

  std::vector<bool> taking_part_in(const std::vector<std::size_t>& column) const {
    std::vector<bool> takes;
    takes.reserve(column.size());
    for (const std::size_t i : column) takes.push_back(takes_part_[i]);
    return takes;
  }

  void start_even(const std::vector<std::size_t>& column) {
    auto takes = taking_part_in(column);
    if (std::ranges::none_of(takes, [](bool part) { return part; })) takes.front() = true;  // a column of no width
    const auto rows = even_heights(problem_.grid.rows, takes);
    for (std::size_t k = 0; k < column.size(); ++k) heights_[column[k]] = rows[k];
  }

  ShareSize share_of(std::size_t rank, std::uint32_t width) const {
    if (width == 0 || heights_[rank] == 0 || !takes_part_[rank]) return {};
    return {double{1} * width, double{1} * heights_[rank]};
  }

  /// Step 2: rounds of DFPA in every column until each is balanced or comes back to where it was.
  BenchmarkRun balance_columns(const Numbers& widths) {
    std::vector<std::set<Numbers>> seen(grid_.columns.size());
    for (;;) {
      BenchmarkRun run = measure(widths);
      bool moved = false;
      for (std::size_t c = 0; c < widths.size(); ++c) moved |= divide_column(c, widths[c], run, seen[c]);
      if (!moved) return run;
    }
  }

  /// Runs the columns that have a share which they have not run last. Times are those of all ranks, whenever measured.
  BenchmarkRun measure(const Numbers& widths) {
    std::vector<ShareSize> shares(problem_.ranks());
    std::vector<std::vector<SpeedPoint>> known(problem_.ranks());
    std::uint32_t columns = 0;
    bool any = false;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      columns += start(c, widths[c], shares);
      for (const std::size_t i : grid_.columns[c]) {
        known[i] = widths[c] > 0 ? points_at(i, widths[c]) : std::vector<SpeedPoint>{};
        any |= !known[i].empty();
      }
    }
    if (!any) known.clear();
    if (columns > 0) run(shares, columns, std::move(known));
    const BenchmarkRun all{times_, {}};
    if (longest_of(all) < best_time_) {
      best_time_ = longest_of(all);
      best_ = grid_.partition(problem_.grid, widths, heights_);
    }
    return all;
  }

  /// The shares of a column, where it has any that it did not run last.
  bool start(std::size_t column, std::uint32_t width, std::vector<ShareSize>& shares) {
    const auto& ranks = grid_.columns[column];
    const auto ran = [&](std::size_t i) {
      const ShareSize share = share_of(i, width);
      return share.columns == ran_[i].columns && share.rows == ran_[i].rows;
    };
    if (std::ranges::all_of(ranks, ran)) return false;
    for (const std::size_t i : ranks) shares[i] = ran_[i] = share_of(i, width);
    for (const std::size_t i : ranks) times_[i] = {};
    return std::ranges::any_of(ranks, [&](std::size_t i) { return shares[i].blocks() > 0.0; });
  }

  void run(const std::vector<ShareSize>& shares, std::uint32_t columns, std::vector<std::vector<SpeedPoint>> known) {
    const Seconds cut_off = best_time_ * cut_off_at;
    const BenchmarkRun run = problem_.run(shares, cut_off);
    for (std::size_t i = 0; i < shares.size(); ++i)
      if (shares[i].blocks() > 0.0) {
        times_[i] = run.times[i];
        measured_[i].push_back({shares[i].columns, shares[i].rows, shares[i].blocks() / run.times[i].si()});
      }
    if (problem_.watch)
      problem_.watch({.shares = shares,
                      .run = run,
                      .cut_off = cut_off,
                      .known = std::move(known),
                      .imbalance = imbalance_of({times_, {}}),
                      .outer = outer_,
                      .columns = columns});
  }

  /// True where the column has to be run again with other heights.
  bool divide_column(std::size_t c, std::uint32_t width, const BenchmarkRun& run, std::set<Numbers>& seen) {
    const auto& column = grid_.columns[c];
    if (width == 0) return false;
    BenchmarkRun own;
    Numbers before;
    for (const std::size_t i : column) {
      own.times.push_back(run.times[i]);
      before.push_back(heights_[i]);
    }
    seen.insert(before);
    if (imbalance_of(own) <= problem_.accuracy) return false;
    KnownSpeeds known(column.size());
    for (std::size_t k = 0; k < column.size(); ++k)
      for (const SpeedPoint& point : points_at(column[k], width)) known.add(k, point);
    const Numbers rows = known.balanced(problem_.grid.rows, taking_part_in(column), "dfpa-2d");
    if (!seen.insert(rows).second) return false;
    for (std::size_t k = 0; k < column.size(); ++k) heights_[column[k]] = rows[k];
    return true;
  }

  /// The estimate of a rank's speed (rows/s) by height at a width. Of points that stand for heights within a tenth of
  /// one measured at that very width, the latter counts.
  std::vector<SpeedPoint> points_at(std::size_t rank, double width) const {
    KnownSpeeds own(1);
    for (const Measured& at : measured_[rank])
      if (at.width == width) own.add(0, {at.height, at.speed / width});
    KnownSpeeds all = own;
    for (const Measured& at : measured_[rank]) {
      const double height = at.height * at.width / width;
      const bool near = std::ranges::any_of(
          own.points()[0], [&](const SpeedPoint& point) { return std::abs(point.size - height) <= 0.1 * point.size; });
      if (at.width != width && !near) all.add(0, {height, at.speed / width});
    }
    return all.points()[0];
  }

  Numbers balanced_widths(const Numbers& widths, const BenchmarkRun& run) const {
    std::vector<double> sums;
    for (std::size_t c = 0; c < widths.size(); ++c) {
      double sum = 0.0;
      for (const std::size_t i : grid_.columns[c])
        if (const ShareSize share = share_of(i, widths[c]); share.blocks() > 0.0)
          sum += share.blocks() / run.times[i].si();
      sums.push_back(sum);
    }
    const Numbers next = apportion(problem_.grid.columns, sums);
    const bool close = std::ranges::equal(next, widths, [&](std::uint32_t a, std::uint32_t b) {
      return std::abs(double{1} * a - b) <= problem_.accuracy * b;
    });
    return close ? widths : next;
  }

  const PartitionProblem& problem_;
  ProcessorGrid grid_;
  std::vector<bool> takes_part_;
  std::vector<std::vector<Measured>> measured_;  ///< [ranks]
  Numbers heights_;                              ///< [ranks]
  std::vector<ShareSize> ran_;                   ///< [ranks] last
  std::vector<Seconds> times_;                   ///< [ranks] of that
  std::uint32_t outer_ = 0;
  Partition best_;
  Seconds best_time_ = PartitionProblem::never;
};

const bool entered = partitioners().add({
    .name = "dfpa-2d",
    .summary = "columns of rectangles on a grid of ranks that end together, by speeds measured while dividing (DFPA)",
    .source = "Lastovetsky, Reddy, Rychkov & Clarke (self-adaptable algorithms), section 3.2",
    .asks = PartitionerEntry::Asks::speed_of_size,
    .make =
        [](const PartitionProblem& problem) {
          check_speeds("dfpa-2d", problem.speeds);
          return Dfpa2d(problem).divide();
        },
});

}  // namespace

}  // namespace orrery::dfpa_2d_partitioner
