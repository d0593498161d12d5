/// Slices of rows that end at the same time, by speeds measured during the division: the distributed functional
/// partitioning algorithm (DFPA).
///
///   1. all ranks run n/p rows
///   2. if max |t_i - t_j| / t_i <= epsilon: done. Else each rank's speed is known at one size, a constant
///   3. the rows are divided by the known speeds: a line through the origin
///   4. all ranks run their new shares
///   5. if balanced: done. Else each new point refines its rank's piecewise linear speed: before the first point,
///      after the last or between two (models/processor/speed_function.hpp)
///   6. go to 3
///
///   n, p     rows, ranks         t_i  s  time of rank i on its rows
///   epsilon  1                   accuracy of the problem
///
/// Source   Lastovetsky, Reddy, Rychkov & Clarke, "Design and implementation of self-adaptable parallel algorithms for
///          scientific computing on highly heterogeneous HPC platforms", section 2
/// Valid    speed functions with the shape of models/processor/shape.hpp: then it converges
/// Differs  where whole rows cannot be balanced to epsilon, a division that was measured before comes up again and
///          nothing new can be learnt: then the best one measured is taken
/// Checked  tests/unit/models/partition/dfpa_test.cpp, tests/contract/every_partitioner_test.cpp
#include "models/partition/apportion.hpp"
#include "models/partition/dfpa.hpp"
#include "models/partition/partitioner.hpp"

namespace orrery::dfpa_1d_partitioner {

namespace {

Partition dfpa_1d(const PartitionProblem& problem) {
  check_speeds("dfpa-1d", problem.speeds);
  Dfpa dfpa(problem.ranks());
  const auto takes_part = taking_part(problem);
  const auto run = [&](const std::vector<std::uint32_t>& heights) {
    return problem.run(slice_sizes(problem.grid, heights));
  };
  const auto watch = [&](const PartitionRound& round) {
    if (problem.watch) problem.watch(round);
  };
  return slices_of(problem.grid, dfpa.divide({.rows = problem.grid.rows,
                                              .columns = double{1} * problem.grid.columns,
                                              .start = even_heights(problem.grid.rows, takes_part),
                                              .takes_part = takes_part,
                                              .accuracy = problem.accuracy,
                                              .run = run,
                                              .watch = watch,
                                              .partitioner = "dfpa-1d"}));
}

const bool entered = partitioners().add({
    .name = "dfpa-1d",
    .summary = "slices of rows that end together, by speeds measured while dividing (DFPA)",
    .source = "Lastovetsky, Reddy, Rychkov & Clarke (self-adaptable algorithms), section 2",
    .asks = PartitionerEntry::Asks::speed_of_size,
    .make = dfpa_1d,
});

}  // namespace

}  // namespace orrery::dfpa_1d_partitioner
