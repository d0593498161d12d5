/// Reduce into member 0 by the selector's choice (by Open MPI's tables without one), then a linear scatter.
#include "kernels/collectives/nested.hpp"

namespace orrery::collectives::default_reduce_scatter {

namespace {

Generator<Action> actions(const Task& task) {
  co_yield elements_of(nested(task, Operation::reduce));
  if (task.me != 0) {
    co_yield receive(0, share(task.shares, task.me));
    co_return;
  }
  for (Member other = 1; other < task.ranks; ++other) co_yield start_send(other, other, share(task.shares, other));
  co_yield wait_all();
}

const bool entered = enter({Operation::reduce_scatter}, {.name = "default",
                                                         .summary = "reduce into member 0, then scatter",
                                                         .source = "Open MPI non-overlapping",
                                                         .actions = actions,
                                                         .ordered = true});

}  // namespace

}  // namespace orrery::collectives::default_reduce_scatter
