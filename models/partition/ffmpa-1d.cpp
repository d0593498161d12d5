/// Slices of rows that end at the same time, by functional performance models that are built first: the
/// full-functional-model partitioning algorithm (FFMPA).
///
///   s_i is measured at n_b = n/80, 2 n/80 .. n/4 rows (to 2 n/p where that is more), piecewise linear between, and cut
///   by a line through the origin: x_i / s_i(x_i) = T, sum x_i = n
///
/// The ranks are measured at the same time, so that a size costs as much as its slowest rank.
///
/// Source   Lastovetsky, Reddy, Rychkov & Clarke (DFPA), section 3.1 (the sizes measured); Lastovetsky & Reddy, IJHPCA
///          21(1), 2007
/// Valid    where the models have the shape of models/processor/shape.hpp
/// Differs  the source builds the models for all n at once (160 points), here for the one width of the grid
/// Checked  tests/unit/models/partition/one_dimension_test.cpp, tests/contract/every_partitioner_test.cpp
#include <algorithm>
#include <set>

#include "models/partition/apportion.hpp"
#include "models/partition/partitioner.hpp"
#include "models/partition/rounds.hpp"

namespace orrery::ffmpa_1d_partitioner {

namespace {

constexpr std::uint32_t points = 20;
constexpr double step = 1.0 / 80.0;

std::set<std::uint32_t> measured_heights(std::uint32_t rows, std::uint32_t ranks) {
  const double most = std::min(1.0, std::max(step * points, 2.0 / ranks));
  std::set<std::uint32_t> heights;
  for (std::uint32_t k = 1; k <= points; ++k)
    heights.insert(std::max(1u, static_cast<std::uint32_t>(most * k / points * rows)));
  return heights;
}

Partition ffmpa_1d(const PartitionProblem& problem) {
  check_speeds("ffmpa-1d", problem.speeds);
  const auto takes_part = taking_part(problem);
  KnownSpeeds known(problem.ranks());
  for (const std::uint32_t height : measured_heights(problem.grid.rows, problem.ranks())) {
    std::vector<std::uint32_t> heights(problem.ranks());
    for (std::size_t i = 0; i < heights.size(); ++i) heights[i] = takes_part[i] ? height : 0;
    const auto shares = slice_sizes(problem.grid, heights);
    const BenchmarkRun run = problem.run(shares);
    if (problem.watch)
      problem.watch({.shares = shares, .run = run, .known = known.points(), .imbalance = imbalance_of(run)});
    for (std::size_t i = 0; i < heights.size(); ++i)
      if (heights[i] > 0) known.add(i, {double{1} * height, height / run.times[i].si()});
  }
  return slices_of(problem.grid, known.balanced(problem.grid.rows, takes_part, "ffmpa-1d"));
}

const bool entered = partitioners().add({
    .name = "ffmpa-1d",
    .summary = "slices of rows that end together, by speed functions measured beforehand at 20 heights",
    .source = "Lastovetsky, Reddy, Rychkov & Clarke (DFPA), section 3.1; Lastovetsky & Reddy, IJHPCA 21(1), 2007",
    .asks = PartitionerEntry::Asks::speed_of_size,
    .make = ffmpa_1d,
});

}  // namespace

}  // namespace orrery::ffmpa_1d_partitioner
