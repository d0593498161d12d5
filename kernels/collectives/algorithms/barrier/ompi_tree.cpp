/// Tree: signals go up a binomial tree to member 0 and down again.
///
///   messages 2 (p - 1)     longest chain: twice the most bits set in any number below p
#include "kernels/collectives/tree.hpp"

namespace orrery::collectives::ompi_tree_barrier {

namespace {

Generator<Action> actions(const Task& task) {
  const Tree tree = binomial_low(task);
  for (const Member child : tree.children) co_yield receive(child, nothing());
  if (!tree.is_root) {
    co_yield send(tree.parent, nothing());
    co_yield receive(tree.parent, nothing());
  }
  for (std::size_t i = tree.children.size(); i-- > 0;) co_yield send(tree.children[i], nothing());
}

Cost cost(const Task& task) { return {2.0 * (task.ranks - 1.0), 0.0, 2.0 * knomial_depth(task.ranks)}; }

const bool entered = enter({Operation::barrier}, {
                                                     .name = "ompi_tree",
                                                     .summary = "up a binomial tree and down again",
                                                     .source = "Open MPI tree",
                                                     .actions = actions,
                                                     .cost = cost,
                                                 });

}  // namespace

}  // namespace orrery::collectives::ompi_tree_barrier
