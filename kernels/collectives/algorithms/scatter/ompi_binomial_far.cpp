/// Shares of a subtree go down a binomial tree, farthest child first: the largest subtree has its shares first.
///
///   messages p - 1     longest chain: most bits set in any d < p
///   p = 2^k: volume k / 2 of the whole for equal shares
///
/// Source   Open MPI since 4.0 (before: nearest first, `ompi_binomial`)
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::ompi_binomial_far_scatter {

namespace {

Generator<Action> actions(const Task& task) { return binomial_scatter_far(task, task.shares); }

Cost cost(const Task& task) { return binomial_cost(task); }

const bool entered = enter({Operation::scatter}, {
                                                     .name = "ompi_binomial_far",
                                                     .summary = "binomial tree, farthest child first",
                                                     .source = "Open MPI binomial, since 4.0",
                                                     .actions = actions,
                                                     .cost = cost,
                                                 });

}  // namespace

}  // namespace orrery::collectives::ompi_binomial_far_scatter
