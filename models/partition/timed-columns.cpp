/// Columns of rectangles in proportion to the speeds, with the number of columns for which the program is fastest.
///
///   c* = argmin over c of time_of(P_c)        P_c: least sum of half-perimeters with exactly c columns
///
/// The half-perimeter is the volume of communication; the time also includes contention, the memory of a node and the
/// cost of each message. The creator of the problem selects the source of times: a model's prediction or a run on an
/// engine. The search goes from the arrangement of 'beaumont-columns' to fewer and to more columns, one by one, as long
/// as the time falls. Ties: the one nearer to the start. If a model gives the times, its choice and the start are
/// simulated, and the faster is taken (models/partition/confirmed.hpp).
///
/// Source   P_c: Beaumont, Boudet, Rastello & Robert, IEEE TPDS 12(10), 2001; a candidate's predicted time as its cost:
///          Rico-Gallego, Lastovetsky & Diaz-Martin, 2016, section 1
/// Valid    where time_of is given; the least time is that of a neighbourhood, not proved the least of all
/// Checked  tests/unit/models/partition/timed_columns_test.cpp, tests/contract/every_partitioner_test.cpp
#include "models/partition/apportion.hpp"
#include "models/partition/columns.hpp"
#include "models/partition/confirmed.hpp"
#include "models/partition/partitioner.hpp"
#include "sim/core/error.hpp"

namespace orrery::timed_columns_partitioner {

namespace {

struct Candidate {
  Partition partition;
  Seconds time;
};

Partition timed_columns(const PartitionProblem& problem) {
  check_speeds("timed-columns", problem.speeds);
  if (!problem.time_of)
    throw DomainError(
        "timed-columns: nobody tells the time of a candidate (it asks for it). Name a model or an engine?");
  const ColumnArrangements arrangements(problem.grid, problem.speeds);
  const auto start = arrangements.best();
  const auto timed = [&](const ColumnArrangements::Sizes& sizes) {
    Partition partition = arrangements.partition(sizes);
    const Seconds time = problem.time_of(partition);
    return Candidate{std::move(partition), time};
  };
  Candidate best = timed(start);
  const auto improve = [&](std::uint32_t columns, int step) {
    for (columns += static_cast<std::uint32_t>(step);; columns += static_cast<std::uint32_t>(step)) {
      const auto sizes = arrangements.best_of(columns);
      if (sizes.empty()) return;
      Candidate next = timed(sizes);
      if (!(next.time < best.time)) return;
      best = std::move(next);
    }
  };
  const auto columns = static_cast<std::uint32_t>(start.size());
  improve(columns, -1);
  improve(columns, +1);
  return confirmed(problem, "timed-columns", {best.partition, arrangements.partition(start)});
}

const bool entered = partitioners().add({
    .name = "timed-columns",
    .summary = "columns of rectangles, in as many columns as make the program fastest by a model or a simulation",
    .source =
        "Beaumont, Boudet, Rastello & Robert, IEEE TPDS 12(10), 2001; Rico-Gallego, Lastovetsky & Diaz-Martin, 2016",
    .asks = PartitionerEntry::Asks::time,
    .make = timed_columns,
});

}  // namespace

}  // namespace orrery::timed_columns_partitioner
