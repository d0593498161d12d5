/// Slices of rows in proportion to constant speeds, each from one benchmark of an equal share: the constant performance
/// model (CPM) of traditional heterogeneous algorithms.
///
///   x_i = n s_i / sum s_j        s_i = (n/p) / t_i(n/p)
///
///   n, p     rows, ranks
///   t_i(x)   s   time of rank i on x rows
///
/// Source   Lastovetsky, Reddy, Rychkov & Clarke (DFPA), section 1 (constant models) and section 3.2 ("built from
///          single benchmarks")
/// Valid    where the speeds at an equal share are those at the final one: no memory or cache boundary in between
/// Differs  'rows' takes one speed for 10^9 flops, whatever the size of the problem
/// Checked  tests/unit/models/partition/one_dimension_test.cpp, tests/contract/every_partitioner_test.cpp
#include "models/partition/apportion.hpp"
#include "models/partition/partitioner.hpp"
#include "models/partition/rounds.hpp"

namespace orrery::cpm_partitioner {

namespace {

Partition cpm(const PartitionProblem& problem) {
  check_speeds("cpm", problem.speeds);
  const auto even = even_heights(problem.grid.rows, taking_part(problem));
  const auto shares = slice_sizes(problem.grid, even);
  const BenchmarkRun run = problem.run(shares);
  std::vector<double> speeds;
  for (std::size_t i = 0; i < even.size(); ++i) speeds.push_back(even[i] == 0 ? 0.0 : even[i] / run.times[i].si());
  if (problem.watch) problem.watch({.shares = shares, .run = run, .known = {}, .imbalance = imbalance_of(run)});
  return slices_of(problem.grid, apportion(problem.grid.rows, speeds));
}

const bool entered = partitioners().add({
    .name = "cpm",
    .summary = "slices of rows in proportion to constant speeds, each from one benchmark of an equal share",
    .source = "Lastovetsky, Reddy, Rychkov & Clarke (DFPA), sections 1 and 3.2",
    .asks = PartitionerEntry::Asks::speed_of_size,
    .make = cpm,
});

}  // namespace

}  // namespace orrery::cpm_partitioner
