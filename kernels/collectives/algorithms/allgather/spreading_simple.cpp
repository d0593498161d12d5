/// Spreading, all at the same time: receives from all, then sends to all, then a wait for everything.
///
///   messages p (p - 1)     volume (p - 1) total     longest chain 1
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::spreading_simple_allgather {

namespace {

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks;
  for (std::uint32_t i = 1; i < p; ++i)
    co_yield start_receive(i, (task.me + i) % p, share(task.shares, (task.me + i) % p));
  for (std::uint32_t i = 1; i < p; ++i) co_yield start_send(p + i, (task.me + i) % p, share(task.shares, task.me));
  co_yield wait_all();
}

Cost cost(const Task& task) {
  const double p = task.ranks;
  return {p * (p - 1.0), (p - 1.0) * static_cast<double>(task.elements()), 1.0};
}

const bool entered = enter({Operation::allgather, Operation::allgatherv},
                           {
                               .name = "spreading_simple",
                               .summary = "own share to everyone at once",
                               .source = "Faraj & Yuan, ICS 2005 (SMPI 'spreading_simple')",
                               .actions = actions,
                               .cost = cost,
                           });

}  // namespace

}  // namespace orrery::collectives::spreading_simple_allgather
