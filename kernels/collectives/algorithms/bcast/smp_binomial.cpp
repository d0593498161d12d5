/// Node-aware: the root sends the message to its node's leader, leaders broadcast along a binomial tree, then every
/// leader broadcasts along a tree in its node.
///
///   messages p - 1 + [root is no leader]     volume as many times m
#include "kernels/collectives/two_level.hpp"

namespace orrery::collectives::smp_binomial_bcast {

namespace {

Generator<Action> actions(const Task& task) {
  const Data message = whole(task.shares);
  const Member leader = task.nodes.member(task.nodes.node(task.root), 0);
  if (task.root != leader) {
    if (task.me == task.root) co_yield send(leader, message);
    if (task.me == leader) co_yield receive(task.root, message);
  }
  if (leads_node(task)) co_yield elements_of(among_leaders(task, Operation::bcast, "binomial_tree"));
  co_yield elements_of(within_node(task, Operation::bcast, "binomial_tree"));
}

Cost cost(const Task& task) {
  const bool leads = task.nodes.member(task.nodes.node(task.root), 0) == task.root;
  const double messages = task.ranks - (leads ? 1.0 : 0.0);
  return {messages, messages * static_cast<double>(task.elements()), no_formula};
}

const bool entered = enter({Operation::bcast}, {.name = "SMP_binomial",
                                                .summary = "node-aware: binomial among leaders, then in each node",
                                                .source = "MPICH SMP-aware broadcast; SMPI 'SMP_binomial'",
                                                .actions = actions,
                                                .cost = cost});

}  // namespace

}  // namespace orrery::collectives::smp_binomial_bcast
