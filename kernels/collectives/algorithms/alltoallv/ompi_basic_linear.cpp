/// Linear: posts all receives in rank order, then all sends, then waits for all.
///
///   messages p (p - 1)     volume: all blocks but one's own     longest chain 1
#include "kernels/collectives/alltoall.hpp"

namespace orrery::collectives::ompi_basic_linear_alltoallv {

namespace {

Generator<Action> actions(const Task& task) {
  std::uint32_t request = 0;
  for (Member from = 0; from < task.ranks; ++from)
    if (from != task.me) co_yield start_receive(request++, from, block_for_me(task, from));
  for (Member to = 0; to < task.ranks; ++to)
    if (to != task.me) co_yield start_send(request++, to, my_block(task, to));
  co_yield wait_all();
}

const bool entered = enter({Operation::alltoallv}, {.name = "ompi_basic_linear",
                                                    .summary = "all receives and sends posted at once in rank order",
                                                    .source = "Open MPI basic_linear",
                                                    .actions = actions,
                                                    .cost = direct_cost});

}  // namespace

}  // namespace orrery::collectives::ompi_basic_linear_alltoallv
