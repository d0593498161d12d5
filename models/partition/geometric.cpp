/// Slices of whole rows whose heights let all ranks end at the same time, though their speed depends on the height.
///
///   x_i / s_i(x_i) = T  for all i,  sum x_i = n
///   that is: points of the curves s_i on one straight line through the origin
///
///   x_i  rows    1         height of the slice of rank i
///   s_i  blocks  blocks/s  its speed on a slice of that height (PartitionProblem::speed)
///   T    s       s         time of one iteration, whose inverse is the slope of the line
///   n    rows    1         height of the grid
///
/// models/partition/balanced_rows.hpp describes the search for T in whole rows.
///
/// Source   Lastovetsky & Reddy, IJHPCA 21(1), 2007 (a line through the origin cuts the curves)
/// Valid    where the time x / s(x) grows with x; then no partition into slices ends earlier
/// Checked  tests/unit/models/partition/geometric_test.cpp, tests/contract/every_partitioner_test.cpp
#include "models/partition/apportion.hpp"
#include "models/partition/balanced_rows.hpp"
#include "models/partition/partitioner.hpp"

namespace orrery::geometric_partitioner {

namespace {

Partition geometric(const PartitionProblem& problem) {
  check_speeds("geometric", problem.speeds);
  const double columns = problem.grid.columns;
  const auto time = [&](std::size_t i, std::uint32_t rows) {
    return problem.time(Rank{static_cast<std::uint32_t>(i)}, {columns, double{1} * rows});
  };
  return slices_of(problem.grid, balanced_rows(problem.grid.rows, taking_part(problem), time, "geometric"));
}

const bool entered = partitioners().add({
    .name = "geometric",
    .summary = "slices of whole rows that end together by speeds that depend on their height",
    .source = "Lastovetsky & Reddy, IJHPCA 21(1), 2007",
    .asks = PartitionerEntry::Asks::speed_of_size,
    .make = geometric,
});

}  // namespace

}  // namespace orrery::geometric_partitioner
