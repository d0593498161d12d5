/// Dissemination: in round k every member signals the 2^k-th next member.
///
///   messages p ceil(log2 p)     longest chain ceil(log2 p)
#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives::ompi_bruck_barrier {

namespace {

Generator<Action> actions(const Task& task) {
  for (std::uint64_t distance = 1; distance < task.ranks; distance *= 2)
    co_yield exchange(static_cast<Member>((task.me + distance) % task.ranks), nothing(),
                      static_cast<Member>((task.me + task.ranks - distance) % task.ranks), nothing());
}

Cost cost(const Task& task) {
  const double rounds = log2_above(task.ranks);
  return {task.ranks * rounds, 0.0, rounds};
}

const bool entered = enter({Operation::barrier}, {.name = "ompi_bruck",
                                                  .summary = "dissemination",
                                                  .source = "Hensgen, Finkel & Manber 1988; MPICH; Open MPI bruck",
                                                  .actions = actions,
                                                  .cost = cost});

}  // namespace

}  // namespace orrery::collectives::ompi_bruck_barrier
