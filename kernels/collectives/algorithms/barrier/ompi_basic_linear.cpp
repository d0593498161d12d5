/// Linear: every member signals member 0, which then signals every member.
///
///   messages 2 (p - 1)     longest chain 2
#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives::ompi_basic_linear_barrier {

namespace {

Generator<Action> actions(const Task& task) {
  if (task.me != 0) {
    co_yield send(0, nothing());
    co_yield receive(0, nothing());
    co_return;
  }
  for (Member other = 1; other < task.ranks; ++other) co_yield start_receive(other, other, nothing());
  co_yield wait_all();
  for (Member other = 1; other < task.ranks; ++other) co_yield start_send(other, other, nothing());
  co_yield wait_all();
}

Cost cost(const Task& task) { return {2.0 * (task.ranks - 1.0), 0.0, 2.0}; }

const bool entered = enter({Operation::barrier}, {
                                                     .name = "ompi_basic_linear",
                                                     .summary = "linear: all to member 0, then back",
                                                     .source = "Open MPI linear",
                                                     .actions = actions,
                                                     .cost = cost,
                                                 });

}  // namespace

}  // namespace orrery::collectives::ompi_basic_linear_barrier
