/// Node-aware: binomial reduction in each node, Rabenseifner among the leaders, binomial broadcast in each node.
///
///   with n nodes: messages 2 (p - n) and those of rab_rdb on n
#include "kernels/collectives/two_level.hpp"

namespace orrery::collectives::two_level_allreduce {

namespace {

Generator<Action> actions(const Task& task) {
  co_yield elements_of(within_node(task, Operation::reduce, "binomial"));
  if (leads_node(task)) co_yield elements_of(among_leaders(task, Operation::allreduce, "rab_rdb"));
  co_yield elements_of(within_node(task, Operation::bcast, "binomial_tree"));
}

const bool entered = enter({Operation::allreduce},
                           {.name = "two_level",
                            .summary = "node-aware: reduce in nodes, Rabenseifner among leaders, broadcast in nodes",
                            .source = "MPICH SMP-aware allreduce (SMPI has MVAPICH2's tables for the leaders)",
                            .actions = actions});

}  // namespace

}  // namespace orrery::collectives::two_level_allreduce
