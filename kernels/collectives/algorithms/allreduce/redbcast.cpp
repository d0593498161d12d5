/// Reduce, then broadcast, by the algorithms that the selector chooses for these (Open MPI's tables without one).
#include "kernels/collectives/nested.hpp"

namespace orrery::collectives::redbcast_allreduce {

namespace {

Generator<Action> actions(const Task& task) {
  co_yield elements_of(nested(task, Operation::reduce));
  co_yield elements_of(nested(task, Operation::bcast));
}

const bool entered = enter({Operation::allreduce}, {.name = "redbcast",
                                                    .summary = "reduce, then broadcast, as the selector chooses",
                                                    .source = "Open MPI nonoverlapping",
                                                    .actions = actions,
                                                    .ordered = true});

}  // namespace

}  // namespace orrery::collectives::redbcast_allreduce
