/// Columns of rectangles in proportion to constant speeds, each from one benchmark of an equal share of the grid of
/// ranks: the two-step division of Kalinov & Lastovetsky.
///
///   n_j = n sum_i s_ij / sum s        m_ij = m s_ij / sum_i s_ij        s_ij = speed at (n/Q, m/P)
///
/// Source   Kalinov & Lastovetsky, JPDC 61(4), 2001; Lastovetsky, Reddy, Rychkov & Clarke (DFPA), section 3.2
///          and figure 8
/// Valid    where the speeds at an equal share are those at the final one
/// Differs  the application that figure 10 compares takes one benchmark for each width of column; there is one here
/// Checked  tests/unit/models/partition/two_dimensions_test.cpp, tests/contract/every_partitioner_test.cpp
#include "models/partition/apportion.hpp"
#include "models/partition/partitioner.hpp"
#include "models/partition/processor_grid.hpp"
#include "models/partition/rounds.hpp"

namespace orrery::cpm_2d_partitioner {

namespace {

Partition cpm_2d(const PartitionProblem& problem) {
  check_speeds("cpm-2d", problem.speeds);
  const ProcessorGrid grid(problem);
  const double across = static_cast<double>(grid.columns.size());
  const double down = static_cast<double>(grid.columns.front().size());
  std::vector<ShareSize> shares;
  for (const double speed : problem.speeds)
    shares.push_back(speed > 0.0 ? ShareSize{problem.grid.columns / across, problem.grid.rows / down} : ShareSize{});
  const BenchmarkRun run = problem.run(shares);
  if (problem.watch) problem.watch({.shares = shares, .run = run, .known = {}, .imbalance = imbalance_of(run)});
  std::vector<double> sums;
  std::vector<std::uint32_t> heights(problem.ranks(), 0);
  for (const auto& column : grid.columns) {
    std::vector<double> speeds;
    double& sum = sums.emplace_back(0.0);
    for (const std::size_t i : column) {
      speeds.push_back(shares[i].blocks() > 0.0 ? shares[i].blocks() / run.times[i].si() : 0.0);
      sum += speeds.back();
    }
    if (sum == 0.0) speeds.front() = 1.0;  // a column of no width
    const auto rows = apportion(problem.grid.rows, speeds);
    for (std::size_t k = 0; k < column.size(); ++k) heights[column[k]] = rows[k];
  }
  return grid.partition(problem.grid, apportion(problem.grid.columns, sums), heights);
}

const bool entered = partitioners().add({
    .name = "cpm-2d",
    .summary = "columns of rectangles on a grid of ranks, areas in proportion to speeds from one benchmark each",
    .source = "Kalinov & Lastovetsky, JPDC 61(4), 2001; Lastovetsky, Reddy, Rychkov & Clarke (DFPA), section 3.2",
    .asks = PartitionerEntry::Asks::speed_of_size,
    .make = cpm_2d,
});

}  // namespace

}  // namespace orrery::cpm_2d_partitioner
