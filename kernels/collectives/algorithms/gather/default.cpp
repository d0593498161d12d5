/// Linear: the root posts all receives at the beginning; the others send without blocking, as in SMPI's igather.
///
///   messages p - 1     volume: all shares but the root's     longest chain 1
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::default_gather {

namespace {

Generator<Action> actions(const Task& task) {
  if (task.me != task.root) {
    co_yield start_send(0, task.root, share(task.shares, task.me));
    co_yield wait(0);
    co_return;
  }
  for (Member other = 0; other < task.ranks; ++other)
    if (other != task.root) co_yield start_receive(other, other, share(task.shares, other));
  co_yield wait_all();
}

const bool entered =
    enter({Operation::gather, Operation::gatherv}, {
                                                       .name = "default",
                                                       .summary = "linear: all receives posted at once",
                                                       .source = "SMPI default (igather)",
                                                       .actions = actions,
                                                       .cost = linear_cost,
                                                   });

}  // namespace

}  // namespace orrery::collectives::default_gather
