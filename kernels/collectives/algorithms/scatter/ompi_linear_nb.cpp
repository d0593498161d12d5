/// Linear: the root sends all shares at the same time.
///
///   messages p - 1     volume: all shares but the root's     longest chain 1
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::ompi_linear_nb_scatter {

namespace {

Generator<Action> actions(const Task& task) {
  if (task.me != task.root) {
    co_yield receive(task.root, share(task.shares, task.me));
    co_return;
  }
  for (Member other = 0; other < task.ranks; ++other)
    if (other != task.root) co_yield start_send(other, other, share(task.shares, other));
  co_yield wait_all();
}

const bool entered = enter({Operation::scatter}, {
                                                     .name = "ompi_linear_nb",
                                                     .summary = "linear: all sends at once",
                                                     .source = "Open MPI linear_nb",
                                                     .actions = actions,
                                                     .cost = linear_cost,
                                                 });
const bool entered_default =
    enter({Operation::scatter, Operation::scatterv}, {
                                                         .name = "default",
                                                         .summary = "linear: all sends at once",
                                                         .source = "SMPI default (iscatter)",
                                                         .actions = actions,
                                                         .cost = linear_cost,
                                                     });

}  // namespace

}  // namespace orrery::collectives::ompi_linear_nb_scatter
