/// The best configuration of a heterogeneous cluster: every one examined, or with those left out that cannot be it.
///
///   minimise  T(C)                time                      over the configurations C that are permitted
///             T(C) sum_i P_i r_i  cost, or energy with watts
///   or the cheapest C with T(C) <= limit
///
///   T    s    max_i A_i(P) + max_i B_i(P), as fitted for one size (models/allocation/execution_times.hpp)
///   P_i  1    nodes of type i in C;   r_i  1/s or W   price or power of one of them
///
/// Branch and bound takes one node type after the other. What is chosen so far takes at least the least A_i(P) and
/// B_i(P) that any choice of the others leaves it (P grows with them), and costs at least that time on the nodes chosen
/// so far. A branch that cannot beat the best is cut; equals are not, so that both searches give the same
/// configuration: of equal objective the faster one, then the one of fewer nodes, then the first in the order of their
/// numbers.
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
  std::uint32_t per_core_max = 1;  ///< most ranks on a core
  std::uint32_t cores = 1;
  double price = 0.0;   ///< of a node, 1/s
  double power = 0.0;   ///< of a node, W
  double memory = 0.0;  ///< of a node, B; 0: without limit
};

struct AllocationProblem {
  std::vector<AllocationKind> kinds;  ///< [node types]
  /// The two stages of the ranks of one kind in a job of p ranks, in s; unknown (no number): not permitted. `alone`:
  /// one node. A job takes the greatest first stage and the greatest second one.
  std::function<std::array<double, 2>(std::uint32_t kind, std::uint32_t per_core, std::uint32_t p, bool alone)> time;
  std::function<bool(std::uint32_t p)> permitted = {};        ///< numbers of ranks; empty: all
  std::function<double(std::uint32_t p)> bytes_of_rank = {};  ///< of the rank that holds most; empty: nothing
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

/// Whether `a` is to be preferred: the order in which every search decides.
bool better(const Allocation& a, const Allocation& b, AllocationObjective objective);

struct AllocationSearch {
  std::optional<Allocation> best;
  std::uint64_t examined = 0;  ///< configurations whose time was asked
  std::uint64_t cut = 0;       ///< branches left out
};

/// Called for every permitted configuration.
using EachAllocation = std::function<void(const Allocation&)>;
/// Called now and then with the configurations examined so far; false ends the search with what it has.
using SearchProgress = std::function<bool(std::uint64_t examined)>;

AllocationSearch search_all(const AllocationProblem& problem, const EachAllocation& each = {},
                            const SearchProgress& progress = {});
AllocationSearch branch_and_bound(const AllocationProblem& problem, const SearchProgress& progress = {});

/// How many configurations there are, permitted or not.
double configurations_of(const AllocationProblem& problem);

}  // namespace orrery
