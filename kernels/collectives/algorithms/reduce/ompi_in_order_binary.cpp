/// Binary tree rooted at the last member that keeps operands in order; the last member sends the result to the root.
///
///   messages (p - 1) n + [root is not p - 1]     volume (p - 1 + [root is not p - 1]) m
#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives::ompi_in_order_binary_reduce {

namespace {

Generator<Action> actions(const Task& task) {
  co_yield elements_of(reduce_ahead(binary_in_order(task), unsegmented(task)));
  const Member last = task.ranks - 1;
  if (task.root == last) co_return;
  if (task.me == last) co_yield send(task.root, whole(task.shares));
  if (task.me == task.root) co_yield receive(last, whole(task.shares));
}

Cost cost(const Task& task) {
  Cost cost = tree_cost(task, unsegmented(task), binary_depth(task.ranks));
  if (task.root == task.ranks - 1) return cost;
  return {cost.messages + 1.0, cost.elements + static_cast<double>(task.elements()), cost.rounds + 1.0};
}

const bool entered = enter({Operation::reduce}, {.name = "ompi_in_order_binary",
                                                 .summary = "binary tree that keeps operands in order",
                                                 .source = "Open MPI in-order_binary",
                                                 .actions = actions,
                                                 .cost = cost,
                                                 .ordered = true});

}  // namespace

}  // namespace orrery::collectives::ompi_in_order_binary_reduce
