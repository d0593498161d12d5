/// In step i each member sends to the i-th next member and receives from the i-th before it. Open MPI: pairwise.
///
///   messages p (p - 1)     volume: all blocks but one's own     longest chain p - 1
#include "kernels/collectives/alltoall.hpp"

namespace orrery::collectives::ring_alltoall {

namespace {

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks;
  for (std::uint32_t i = 1; i < p; ++i) {
    const Member to = (task.me + i) % p, from = (task.me + p - i) % p;
    co_yield exchange(to, my_block(task, to), from, block_for_me(task, from));
  }
}

const bool entered = enter({Operation::alltoall, Operation::alltoallv},
                           {.name = "ring",
                            .summary = "shifted exchange, p - 1 steps: to the i-th next, from the i-th before",
                            .source = "MPICH for p not a power of two; Open MPI pairwise",
                            .actions = actions,
                            .cost = stepwise_cost});

}  // namespace

}  // namespace orrery::collectives::ring_alltoall
