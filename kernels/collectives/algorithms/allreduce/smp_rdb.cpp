/// Node-aware: binomial reduction in each node, recursive doubling among the leaders, binomial broadcast in each node.
///
///   with n nodes: messages 2 (p - n) and those of rdb on n
#include "kernels/collectives/two_level.hpp"

namespace orrery::collectives::smp_rdb_allreduce {

namespace {

Generator<Action> actions(const Task& task) {
  co_yield elements_of(within_node(task, Operation::reduce, "binomial"));
  if (leads_node(task)) co_yield elements_of(among_leaders(task, Operation::allreduce, "rdb"));
  co_yield elements_of(within_node(task, Operation::bcast, "binomial_tree"));
}

Cost cost(const Task& task) {
  const std::uint32_t nodes = task.nodes.count(task.ranks), cube = power_below(nodes);
  const double messages =
      2.0 * (task.ranks - nodes) + static_cast<double>(cube) * log2_above(cube) + 2.0 * (nodes - cube);
  return {messages, messages * static_cast<double>(task.elements()), no_formula};
}

const bool entered =
    enter({Operation::allreduce},
          {.name = "smp_rdb",
           .summary = "node-aware: reduce in nodes, recursive doubling among leaders, broadcast in nodes",
           .source = "SMPI 'smp_rdb'",
           .actions = actions,
           .cost = cost});

}  // namespace

}  // namespace orrery::collectives::smp_rdb_allreduce
