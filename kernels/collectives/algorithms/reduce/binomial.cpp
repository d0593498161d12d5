/// Binomial tree, whole vector, nearest children first. Operands that do not commute are reduced into member 0, which
/// sends the result to the root.
///
///   messages p - 1     volume (p - 1) m     longest chain: most bits set in any d < p
#include "kernels/collectives/tree.hpp"

namespace orrery::collectives::binomial_reduce {

namespace {

Generator<Action> actions(const Task& task) {
  const Data vector = whole(task.shares);
  Task towards = task;
  if (!task.commutative) towards.root = 0;
  const Tree tree = binomial_low(towards);
  co_yield rearrange(task.elements());
  const std::uint64_t all = task.elements();
  const Action buffers = allocate({all, tree.is_root ? 0 : all});
  co_yield buffers;
  for (const Member child : tree.children) {
    co_yield receive(child, vector, scratch);
    co_yield combine(vector);
  }
  if (!tree.is_root) co_yield send(tree.parent, vector);
  if (towards.root == task.root) co_return;
  if (task.me == towards.root) co_yield send(task.root, vector);
  if (task.me == task.root) co_yield receive(towards.root, vector);
}

Cost cost(const Task& task) {
  const double messages = task.ranks - 1 + (task.commutative || task.root == 0 ? 0 : 1);
  return {messages, messages * static_cast<double>(task.elements()),
          knomial_depth(task.ranks) + messages - (task.ranks - 1)};
}

const bool entered = enter({Operation::reduce}, {.name = "binomial",
                                                 .summary = "binomial tree, unsegmented",
                                                 .source = "MPICH; Thakur, Rabenseifner & Gropp 2005, section 4.4",
                                                 .actions = actions,
                                                 .cost = cost,
                                                 .ordered = true});

}  // namespace

}  // namespace orrery::collectives::binomial_reduce
