/// Slices of whole rows, top to bottom in rank order, heights in proportion to the speeds.
///
/// Source   the 1-D alternative of Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, section 4.2
/// Valid    any speeds; with more ranks than rows the ones with the least share get nothing
/// Checked  tests/unit/models/partition/rows_test.cpp, tests/contract/every_partitioner_test.cpp
#include "models/partition/apportion.hpp"
#include "models/partition/partitioner.hpp"

namespace orrery::rows_partitioner {

namespace {

Partition slices(const PartitionProblem& problem) {
  check_speeds("rows", problem.speeds);
  return slices_of(problem.grid, apportion(problem.grid.rows, problem.speeds));
}

const bool entered = partitioners().add({
    .name = "rows",
    .summary = "slices of whole rows in rank order, heights in proportion to speed",
    .source = "Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, section 4.2 (1-D partition)",
    .make = slices,
});

}  // namespace

}  // namespace orrery::rows_partitioner
