/// Pairwise exchange: in step i members whose numbers differ by exclusive or with i exchange their blocks.
///
///   messages p (p - 1)     volume: all blocks but one's own     longest chain p - 1
#include "kernels/collectives/alltoall.hpp"

namespace orrery::collectives::pair_alltoall {

namespace {

Generator<Action> actions(const Task& task) {
  for (std::uint32_t i = 1; i < task.ranks; ++i) {
    const Member peer = task.me ^ i;
    co_yield exchange(peer, my_block(task, peer), peer, block_for_me(task, peer));
  }
}

std::string_view instead(const Task& task) { return power_of_two(task.ranks) ? "" : "ring"; }

const bool entered = enter({Operation::alltoall, Operation::alltoallv}, {.name = "pair",
                                                                         .summary = "pairwise exchange, p - 1 steps",
                                                                         .source = "MPICH; p not a power of two: ring",
                                                                         .actions = actions,
                                                                         .cost = stepwise_cost,
                                                                         .instead = instead});

}  // namespace

}  // namespace orrery::collectives::pair_alltoall
