/// Gather into member 0 by a binomial tree, then broadcast of the whole as the selector chooses (Open MPI's tables
/// without one).
#include "kernels/collectives/nested.hpp"
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::gather_bcast_allgather {

namespace {

Generator<Action> actions(const Task& task) {
  co_yield elements_of(binomial_gather_near(task, task.shares));
  co_yield elements_of(nested(task, Operation::bcast));
}

const bool entered =
    enter({Operation::allgather, Operation::allgatherv},
          {
              .name = "gather_bcast",
              .summary = "gather into member 0 by a binomial tree, then broadcast",
              .source = "Cray MPICH, intro_mpi(3): MPICH_ALLGATHER_VSHORT_MSG, 'gather/bcast'",
              .actions = actions,
          });

}  // namespace

}  // namespace orrery::collectives::gather_bcast_allgather
