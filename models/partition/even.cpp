/// Slices with equal numbers of rows, top to bottom in rank order, whatever the speeds.
///
///   boundary i of p stands at floor(i n / p), so heights differ by at most one
///
/// Source   the first distribution of DFPA: Lastovetsky, Reddy, Rychkov & Clarke, section 2, step 1
/// Checked  tests/unit/models/partition/one_dimension_test.cpp, tests/contract/every_partitioner_test.cpp
#include "models/partition/apportion.hpp"
#include "models/partition/partitioner.hpp"

namespace orrery::even_partitioner {

namespace {

const bool entered = partitioners().add({
    .name = "even",
    .summary = "slices of equally many rows, ignoring speeds",
    .source = "Lastovetsky, Reddy, Rychkov & Clarke (DFPA), section 2, step 1",
    .asks = PartitionerEntry::Asks::nothing,
    .make =
        [](const PartitionProblem& problem) {
          check_speeds("even", problem.speeds);
          return slices_of(problem.grid, even_heights(problem.grid.rows, std::vector(problem.ranks(), true)));
        },
});

}  // namespace

}  // namespace orrery::even_partitioner
