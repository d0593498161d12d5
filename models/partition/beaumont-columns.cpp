/// Columns of rectangles with areas in proportion to the speeds and the least sum of half-perimeters.
///
///   f(q) = min over r of  f(q - r) + r n sum_{i = q-r+1 .. q} a_i + m            f(0) = 0
///
///   n, m  blocks  1   columns and rows of the grid
///   a_i   1       1   share of the i-th slowest rank: speed / sum of speeds
///   f(q)  blocks  1   least half-perimeter sum of the q slowest ranks; the last column holds r of them
///
/// Columns are ordered from the fastest ranks to the slowest, left to right, and within a column top to bottom; equal
/// speeds by rank. If arrangements have equal sums (figure 8 of Rico-Gallego et al. 2016 ties with two columns of
/// three), the last column of the recurrence holds as few ranks as possible. Rounding: widths are apportioned by the
/// columns' shares, then heights within each column by the speeds of its ranks (models/partition/apportion.hpp), so
/// that rectangles tile the grid exactly.
///
/// Source   Beaumont, Boudet, Rastello & Robert, IEEE TPDS 12(10), 2001, column-based partitioning
/// Valid    any speeds; a column never holds more ranks than rows, nor are there more columns than the grid has, unless
///          there are more ranks than blocks: then the slowest get empty rectangles, as do ranks of speed 0
/// Checked  tests/unit/models/partition/beaumont_columns_test.cpp, tests/contract/every_partitioner_test.cpp
#include "models/partition/apportion.hpp"
#include "models/partition/columns.hpp"
#include "models/partition/partitioner.hpp"

namespace orrery::beaumont_columns_partitioner {

namespace {

Partition beaumont_columns(const PartitionProblem& problem) {
  check_speeds("beaumont-columns", problem.speeds);
  const ColumnArrangements arrangements(problem.grid, problem.speeds);
  return arrangements.partition(arrangements.best());
}

const bool entered = partitioners().add({
    .name = "beaumont-columns",
    .summary = "columns of rectangles with areas in proportion to speed and the least total half-perimeter",
    .source = "Beaumont, Boudet, Rastello & Robert, IEEE TPDS 12(10), 2001",
    .make = beaumont_columns,
});

}  // namespace

}  // namespace orrery::beaumont_columns_partitioner
