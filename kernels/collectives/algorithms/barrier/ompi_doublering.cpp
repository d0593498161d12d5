/// Double ring: a token goes around twice.
///
///   messages 2 p     longest chain 2 p
#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives::ompi_doublering_barrier {

namespace {

Generator<Action> actions(const Task& task) {
  const Member next = (task.me + 1) % task.ranks, previous = (task.me + task.ranks - 1) % task.ranks;
  for (int turn = 0; turn < 2; ++turn) {
    if (task.me > 0) co_yield receive(previous, nothing());
    co_yield send(next, nothing());
    if (task.me == 0) co_yield receive(previous, nothing());
  }
}

Cost cost(const Task& task) { return {2.0 * task.ranks, 0.0, 2.0 * task.ranks}; }

const bool entered = enter({Operation::barrier}, {
                                                     .name = "ompi_doublering",
                                                     .summary = "a token goes round twice",
                                                     .source = "Open MPI double_ring",
                                                     .actions = actions,
                                                     .cost = cost,
                                                 });

}  // namespace

}  // namespace orrery::collectives::ompi_doublering_barrier
