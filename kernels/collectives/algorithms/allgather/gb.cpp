/// Gather into member 0, linear, then broadcast of the whole as the selector chooses (Open MPI's tables without one).
#include "kernels/collectives/nested.hpp"

namespace orrery::collectives::gb_allgather {

namespace {

Generator<Action> actions(const Task& task) {
  if (task.me == 0) {
    for (Member other = 1; other < task.ranks; ++other) co_yield receive(other, share(task.shares, other));
  } else {
    co_yield send(0, share(task.shares, task.me));
  }
  co_yield elements_of(nested(task, Operation::bcast));
}

const bool entered =
    enter({Operation::allgather, Operation::allgatherv}, {
                                                             .name = "GB",
                                                             .summary = "gather into member 0, then broadcast",
                                                             .source = "Open MPI linear (default)",
                                                             .actions = actions,
                                                         });

}  // namespace

}  // namespace orrery::collectives::gb_allgather
