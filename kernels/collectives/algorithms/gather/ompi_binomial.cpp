/// Shares of a subtree go up a binomial tree, nearest child first.
///
///   messages p - 1     longest chain: most bits set in any d < p
///   p = 2^k: volume k / 2 of the whole for equal shares
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::ompi_binomial_gather {

namespace {

Generator<Action> actions(const Task& task) { return binomial_gather_near(task, task.shares); }

Cost cost(const Task& task) { return binomial_cost(task); }

const bool entered = enter({Operation::gather}, {
                                                    .name = "ompi_binomial",
                                                    .summary = "binomial tree, nearest child first",
                                                    .source = "Open MPI binomial",
                                                    .actions = actions,
                                                    .cost = cost,
                                                });

}  // namespace

}  // namespace orrery::collectives::ompi_binomial_gather
