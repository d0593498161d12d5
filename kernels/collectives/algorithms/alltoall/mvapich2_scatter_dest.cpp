/// Linear in portions: four receives and four sends at a time, in ring order from the own number on.
///
///   messages p (p - 1)     volume: all blocks but one's own     longest chain ceil(p / 4)
#include "kernels/collectives/alltoall.hpp"

namespace orrery::collectives::mvapich2_scatter_dest_alltoall {

namespace {

constexpr std::uint32_t portion = 4;

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks;
  for (std::uint32_t first = 0; first < p; first += portion) {
    const std::uint32_t end = std::min(first + portion, p);
    for (std::uint32_t i = std::max(first, 1u); i < end; ++i)
      co_yield start_receive(i - first, (task.me + i) % p, block_for_me(task, (task.me + i) % p));
    for (std::uint32_t i = std::max(first, 1u); i < end; ++i)
      co_yield start_send(portion + i - first, (task.me + p - i) % p, my_block(task, (task.me + p - i) % p));
    co_yield wait_all();
  }
}

Cost cost(const Task& task) {
  Cost cost = direct_cost(task);
  const std::uint32_t portions = (task.ranks + portion - 1) / portion;
  cost.rounds = portions;
  return cost;
}

const bool entered = enter({Operation::alltoall}, {
                                                      .name = "mvapich2_scatter_dest",
                                                      .summary = "linear in portions of four",
                                                      .source = "MPICH (after Tony Ladd); MVAPICH2",
                                                      .actions = actions,
                                                      .cost = cost,
                                                  });
const bool entered_v = enter({Operation::alltoallv},
                             {
                                 .name = "bruck",
                                 .summary = "linear in portions of four (SMPI's name for it; no store and forward)",
                                 .source = "MPICH alltoallv; SMPI 'bruck'",
                                 .actions = actions,
                                 .cost = cost,
                             });

}  // namespace

}  // namespace orrery::collectives::mvapich2_scatter_dest_alltoall
