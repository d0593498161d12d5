/// Linear: the root receives the shares one after another in rank order.
///
///   messages p - 1     volume: all shares but the root's     longest chain 1
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::ompi_basic_linear_gather {

namespace {

Generator<Action> actions(const Task& task) {
  if (task.me != task.root) co_yield send(task.root, share(task.shares, task.me));
  for (Member other = 0; other < task.ranks && task.me == task.root; ++other)
    if (other != task.root) co_yield receive(other, share(task.shares, other));
}

const bool entered =
    enter({Operation::gather, Operation::gatherv}, {
                                                       .name = "ompi_basic_linear",
                                                       .summary = "linear: blocking receives in rank order",
                                                       .source = "Open MPI basic_linear",
                                                       .actions = actions,
                                                       .cost = linear_cost,
                                                   });

}  // namespace

}  // namespace orrery::collectives::ompi_basic_linear_gather
