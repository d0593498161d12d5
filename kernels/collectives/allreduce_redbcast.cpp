/// Reduce, then broadcast, by the algorithms that Open MPI's tables choose for these.
#include "kernels/collectives/nested.hpp"

namespace orrery::collectives {

namespace {

Generator<Action> actions(const Task& task) {
  co_yield elements_of(nested(task, Operation::reduce));
  co_yield elements_of(nested(task, Operation::bcast));
}

const bool entered = enter({Operation::allreduce}, {.name = "redbcast",
                                                    .summary = "reduce, then broadcast, as Open MPI chooses them",
                                                    .source = "Open MPI nonoverlapping",
                                                    .actions = actions,
                                                    .ordered = true});

}  // namespace

}  // namespace orrery::collectives
