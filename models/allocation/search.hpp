/// The best configuration of a heterogeneous cluster: by examining every one, or by branch and bound.
///
///   minimise  T(C)                time                      over the configurations C that are permitted
///             T(C) sum_i P_i r_i  cost, or energy with watts
///   or the cheapest C with T(C) <= limit
///
///   T    s    max_i A_i(P) + max_i B_i(P), as fitted for one size (models/allocation/execution_times.hpp)
///   P_i  1    nodes of type i in C;   r_i  1/s or W   price or power of one of them
///
/// Branch and bound takes one node type after the other. The types chosen so far take at least the minimum of A_i(P)
/// and B_i(P) over all choices of the others (P grows with them), and cost at least that time on the nodes chosen so
/// far. A branch that cannot beat the best is cut; equal ones are not, so that both searches give the same
/// configuration: for equal objective the faster one, then the one with fewer nodes, then the first in the order of
/// their numbers.
///
/// Source   Ichikawa, Takahashi & Kawai, figure 1 (exhaustive), section 8 (cost, within 10 % of the fastest)
/// Checked  tests/unit/models/allocation/search_test.cpp
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/allocation/execution_times.hpp"

namespace orrery {

enum class AllocationObjective : std::uint8_t { time, cost, energy };

struct AllocationKind {
  std::uint32_t nodes = 0;         ///< free
  std::uint32_t per_core_max = 1;  ///< maximum ranks per core
  std::uint32_t cores = 1;
  double price = 0.0;   ///< of a node, 1/s
  double power = 0.0;   ///< of a node, W
  double memory = 0.0;  ///< of a node, B; 0: without limit
};

struct AllocationProblem {
  std::vector<AllocationKind> kinds;  ///< [node types]
  /// The two stages of the ranks of one kind in a job of p ranks, in s; NaN: not permitted. `alone`: one node. A job
  /// takes the maximum first stage plus the maximum second stage.
  std::function<std::array<double, 2>(std::uint32_t kind, std::uint32_t per_core, std::uint32_t p, bool alone)> time;
  std::function<bool(std::uint32_t p)> permitted = {};        ///< numbers of ranks; empty: all
  std::function<double(std::uint32_t p)> bytes_of_rank = {};  ///< of the rank with most data; empty: none
  AllocationObjective objective = AllocationObjective::time;
  std::optional<double> limit = {};  ///< s: slower ones are not permitted
};

struct Allocation {
  Configuration configuration;
  std::uint32_t ranks = 0;
  double seconds = 0.0, cost = 0.0, energy = 0.0;

  double value(AllocationObjective objective) const {
    return objective == AllocationObjective::time ? seconds : objective == AllocationObjective::cost ? cost : energy;
  }
};

/// Whether `a` is preferred: the order in which every search decides.
bool better(const Allocation& a, const Allocation& b, AllocationObjective objective);

struct AllocationSearch {
  std::optional<Allocation> best;
  std::uint64_t examined = 0;  ///< configurations whose time was computed
  std::uint64_t cut = 0;       ///< branches that were cut
};

/// Called for every permitted configuration.
using EachAllocation = std::function<void(const Allocation&)>;
/// Called at intervals with the number of configurations examined; false ends the search with its present result.
using SearchProgress = std::function<bool(std::uint64_t examined)>;

AllocationSearch search_all(const AllocationProblem& problem, const EachAllocation& each = {},
                            const SearchProgress& progress = {});
AllocationSearch branch_and_bound(const AllocationProblem& problem, const SearchProgress& progress = {});

/// Number of configurations, permitted or not.
double configurations_of(const AllocationProblem& problem);

}  // namespace orrery
