/// Linear: the root sends to all others at the same time, in rank order.
///
///   messages p - 1     volume (p - 1) m     longest chain 1
#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives::flattree_bcast {

namespace {

Generator<Action> actions(const Task& task) {
  const Data message = whole(task.shares);
  if (task.me != task.root) {
    co_yield receive(task.root, message);
    co_return;
  }
  for (Member other = 0; other < task.ranks; ++other)
    if (other != task.root) co_yield start_send(other, other, message);
  co_yield wait_all();
}

Cost cost(const Task& task) {
  const double others = task.ranks - 1;
  return {others, others * static_cast<double>(task.elements()), 1.0};
}

const bool entered = enter({Operation::bcast}, {.name = "flattree",
                                                .summary = "linear: the root sends to everyone at once",
                                                .source = "Open MPI basic_linear",
                                                .actions = actions,
                                                .cost = cost});

}  // namespace

}  // namespace orrery::collectives::flattree_bcast
