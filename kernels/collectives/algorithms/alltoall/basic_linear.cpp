/// Linear: posts all receives, then all sends, then waits for all. Receives are posted in ring order from the next
/// member on, sends in ring order from the previous one backwards.
///
///   messages p (p - 1)     volume: all blocks but one's own     longest chain 1
#include "kernels/collectives/alltoall.hpp"

namespace orrery::collectives::basic_linear_alltoall {

namespace {

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks;
  std::uint32_t request = 0;
  for (std::uint32_t i = 1; i < p; ++i) {
    const Member from = (task.me + i) % p;
    co_yield start_receive(request++, from, block_for_me(task, from));
  }
  for (std::uint32_t i = 1; i < p; ++i) {
    const Member to = (task.me + p - i) % p;
    co_yield start_send(request++, to, my_block(task, to));
  }
  co_yield wait_all();
}

const bool entered = enter({Operation::alltoall}, {.name = "basic_linear",
                                                   .summary = "all receives and sends posted at once",
                                                   .source = "Open MPI basic_linear",
                                                   .actions = actions,
                                                   .cost = direct_cost});

}  // namespace

}  // namespace orrery::collectives::basic_linear_alltoall
