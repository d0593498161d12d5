/// Gather into member 0 by a binomial tree, then broadcast of the whole: binomial among nodes, then in each node.
///
///   messages 2 (p - 1)     p = 2^k: volume of equal shares (p - 1 + k / 2) of the whole
#include "kernels/collectives/nested.hpp"
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::gather_bcast_allgather {

namespace {

Generator<Action> actions(const Task& task) {
  co_yield elements_of(binomial_gather_near(task, task.shares));
  co_yield elements_of(nested(task, Operation::bcast, "SMP_binomial"));
}

Cost cost(const Task& task) {
  const Cost gather = binomial_cost(task);
  const double copies = task.ranks - 1.0;
  return {gather.messages + copies, gather.elements + copies * static_cast<double>(task.elements()), no_formula};
}

const bool entered =
    enter({Operation::allgather, Operation::allgatherv},
          {
              .name = "gather_bcast",
              .summary = "gather by a binomial tree, then a node-aware broadcast",
              .source = "Cray MPICH, intro_mpi(3): MPICH_ALLGATHER_VSHORT_MSG, 'gather/bcast', not confirmed",
              .actions = actions,
              .cost = cost,
          });

}  // namespace

}  // namespace orrery::collectives::gather_bcast_allgather
