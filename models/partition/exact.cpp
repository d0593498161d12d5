/// Slices of rows with the smallest maximum time, by dynamic programming: the optimum for any speed functions, a
/// reference for the other partitioners.
///
///   f_i(m) = min over 0 <= x <= m of  max(t_i(x), f_{i-1}(m - x))        f_0(0) = 0, f_0(m) infinite, t_i(0) = 0
///
///   f_i(m)  s  least time in which the first i ranks do m rows
///   t_i(x)  s  time of rank i on x rows
///
/// Among the divisions with that time, the one with the smallest sum of squared times is taken (the same recurrence
/// with sums), so that no rank idles without need. Ranks go from the fastest to the slowest, so numbering does not
/// matter.
///
/// Source   Bellman's principle; Lastovetsky & Reddy, IJHPCA 21(1), 2007, for the problem
/// Valid    any times, also where a line through the origin cuts a curve more than once; O(p n^2), refused beyond 4e9
/// Checked  tests/unit/models/partition/exact_test.cpp against every way to cut the rows
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "models/partition/apportion.hpp"
#include "models/partition/partitioner.hpp"
#include "sim/core/error.hpp"

namespace orrery::exact_partitioner {

namespace {

constexpr double comparisons_max = 4e9;
constexpr double never = std::numeric_limits<double>::infinity();

/// [order][rows + 1] times of each rank that takes part.
using Times = std::vector<std::vector<double>>;

Times times_of(const PartitionProblem& problem, const std::vector<std::uint32_t>& order) {
  Times times;
  for (const std::uint32_t i : order) {
    auto& own = times.emplace_back(problem.grid.rows + 1, 0.0);
    for (std::uint32_t x = 1; x <= problem.grid.rows; ++x)
      own[x] = problem.time(Rank{i}, {double{1} * problem.grid.columns, double{1} * x});
  }
  return times;
}

/// f_p(n)
double least_longest(const Times& times, std::uint32_t n) {
  std::vector<double> least(n + 1, never), next(n + 1);
  least[0] = 0.0;
  for (const auto& own : times) {
    for (std::uint32_t m = 0; m <= n; ++m) {
      next[m] = never;
      for (std::uint32_t x = 0; x <= m; ++x) next[m] = std::min(next[m], std::max(own[x], least[m - x]));
    }
    std::swap(least, next);
  }
  return least[n];
}

/// [order] rows of the division with the least sum of squared times that ends within `longest`.
std::vector<std::uint32_t> smoothest(const Times& times, std::uint32_t n, double longest) {
  std::vector<double> least(n + 1, never), next(n + 1);
  least[0] = 0.0;
  std::vector<std::vector<std::uint32_t>> taken;
  for (const auto& own : times) {
    auto& of_rank = taken.emplace_back(n + 1, 0);
    std::ranges::fill(next, never);
    for (std::uint32_t x = 0; x <= n; ++x) {
      if (!(own[x] <= longest)) continue;
      for (std::uint32_t m = x; m <= n; ++m)
        if (const double sum = own[x] * own[x] + least[m - x]; sum < next[m]) {
          next[m] = sum;
          of_rank[m] = x;
        }
    }
    std::swap(least, next);
  }
  std::vector<std::uint32_t> rows(times.size());
  for (std::size_t k = rows.size(); k-- > 0; n -= rows[k]) rows[k] = taken[k][n];
  return rows;
}

Partition exact(const PartitionProblem& problem) {
  check_speeds("exact", problem.speeds);
  const std::uint32_t n = problem.grid.rows;
  std::vector<std::uint32_t> order(problem.ranks());
  std::iota(order.begin(), order.end(), 0u);
  std::erase_if(order, [&](std::uint32_t i) { return problem.speeds[i] == 0.0; });
  std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::uint32_t i) { return problem.speeds[i]; });
  const double comparisons = static_cast<double>(order.size()) * n * n;
  if (comparisons > comparisons_max)
    throw DomainError("exact: {} ranks on {} rows need {:.2g} comparisons (at most {:.0e}). Use 'geometric'?",
                      order.size(), n, comparisons, comparisons_max);
  const Times times = times_of(problem, order);
  const double longest = least_longest(times, n);
  if (!(longest < never))
    throw DomainError(
        "exact: the speeds leave rows of {} to nobody (a finite time for some slices that cover "
        "the grid). Check the compute model?",
        n);
  const auto rows = smoothest(times, n, longest);
  std::vector<std::uint32_t> heights(problem.ranks(), 0);
  for (std::size_t k = 0; k < order.size(); ++k) heights[order[k]] = rows[k];
  return slices_of(problem.grid, heights);
}

const bool entered = partitioners().add({
    .name = "exact",
    .summary = "slices of rows with the least longest time whatever the speed functions, by dynamic programming",
    .source = "dynamic programming; the problem of Lastovetsky & Reddy, IJHPCA 21(1), 2007",
    .asks = PartitionerEntry::Asks::speed_of_each_size,
    .make = exact,
});

}  // namespace

}  // namespace orrery::exact_partitioner
