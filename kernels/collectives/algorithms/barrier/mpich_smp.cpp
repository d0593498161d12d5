/// Node-aware: signals go up a binomial tree in each node, leaders synchronise by dissemination, signals go down again.
///
///   with n nodes: messages 2 (p - n) + n ceil(log2 n)
#include "kernels/collectives/two_level.hpp"

namespace orrery::collectives::mpich_smp_barrier {

namespace {

Generator<Action> actions(const Task& task) {
  co_yield elements_of(within_node(task, Operation::reduce, "binomial"));
  if (leads_node(task)) co_yield elements_of(among_leaders(task, Operation::barrier, "ompi_bruck"));
  co_yield elements_of(within_node(task, Operation::bcast, "binomial_tree"));
}

Cost cost(const Task& task) {
  const std::uint32_t nodes = task.nodes.count(task.ranks);
  return {2.0 * (task.ranks - nodes) + static_cast<double>(nodes) * log2_above(nodes), 0.0, no_formula};
}

const bool entered =
    enter({Operation::barrier}, {.name = "mpich_smp",
                                 .summary = "node-aware: up in nodes, dissemination among leaders, down in nodes",
                                 .source = "MPICH SMP-aware barrier",
                                 .actions = actions,
                                 .cost = cost});

}  // namespace

}  // namespace orrery::collectives::mpich_smp_barrier
