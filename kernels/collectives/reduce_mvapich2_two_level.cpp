/// Node-aware: binomial reduction in each node, then among the leaders, whose last member hands the result to the root
/// when that is no leader.
///
///   messages p - 1 + [root is no leader]     volume as many times m
#include "kernels/collectives/two_level.hpp"

namespace orrery::collectives {

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

const bool entered = enter({Operation::reduce}, {.name = "mvapich2_two_level",
                                                 .summary = "node-aware: binomial in each node, then among leaders",
                                                 .source = "MPICH SMP-aware reduce; SMPI 'mvapich2_two_level'",
                                                 .actions = actions});

}  // namespace

}  // namespace orrery::collectives
