/// Node-aware: binomial reduction in each node, recursive doubling among the leaders, binomial broadcast in each node.
///
///   with n nodes: messages 2 (p - n) and those of rdb on n
#include "kernels/collectives/two_level.hpp"

namespace orrery::collectives {

namespace {

Generator<Action> actions(const Task& task) {
  co_yield elements_of(within_node(task, Operation::reduce, "binomial"));
  if (leads_node(task)) co_yield elements_of(among_leaders(task, Operation::allreduce, "rdb"));
  co_yield elements_of(within_node(task, Operation::bcast, "binomial_tree"));
}

const bool entered =
    enter({Operation::allreduce},
          {.name = "smp_rdb",
           .summary = "node-aware: reduce in nodes, recursive doubling among leaders, broadcast in nodes",
           .source = "SMPI 'smp_rdb'",
           .actions = actions});

}  // namespace

}  // namespace orrery::collectives
