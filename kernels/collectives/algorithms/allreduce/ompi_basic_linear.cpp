/// Linear: the root receives one vector after another and reduces them, then a broadcast by the selector's choice (by
/// Open MPI's rules without one).
#include "kernels/collectives/nested.hpp"

namespace orrery::collectives::ompi_basic_linear_allreduce {

namespace {

Generator<Action> actions(const Task& task) {
  co_yield elements_of(nested(task, Operation::reduce, "ompi_basic_linear"));
  co_yield elements_of(nested(task, Operation::bcast));
}

const bool entered = enter({Operation::allreduce}, {.name = "ompi_basic_linear",
                                                    .summary = "linear reduce, then broadcast, as the selector chooses",
                                                    .source = "Open MPI basic_linear",
                                                    .actions = actions,
                                                    .ordered = true});

}  // namespace

}  // namespace orrery::collectives::ompi_basic_linear_allreduce
