/// Node-aware: binomial reduction in each node, then among the leaders; the last of these sends the result to the root
/// if the root is no leader.
///
///   messages p - 1 + [root is no leader]     volume as many times m
#include "kernels/collectives/two_level.hpp"

namespace orrery::collectives::two_level_reduce {

namespace {

Generator<Action> actions(const Task& task) {
  const Data vector = whole(task.shares);
  const Member leader = task.nodes.member(task.nodes.node(task.root), 0);
  co_yield elements_of(within_node(task, Operation::reduce, "binomial"));
  if (leads_node(task)) co_yield elements_of(among_leaders(task, Operation::reduce, "binomial"));
  if (task.root == leader) co_return;
  if (task.me == leader) co_yield send(task.root, vector);
  if (task.me == task.root) co_yield receive(leader, vector);
}

Cost cost(const Task& task) {
  const bool leads = task.nodes.member(task.nodes.node(task.root), 0) == task.root;
  const double messages = task.ranks - (leads ? 1.0 : 0.0);
  return {messages, messages * static_cast<double>(task.elements()), no_formula};
}

const bool entered =
    enter({Operation::reduce}, {.name = "two_level",
                                .summary = "node-aware: binomial in each node, then among leaders",
                                .source = "MPICH SMP-aware reduce (SMPI has MVAPICH2's tables for the leaders)",
                                .actions = actions,
                                .cost = cost});

}  // namespace

}  // namespace orrery::collectives::two_level_reduce
