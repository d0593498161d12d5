/// Ring between neighbours with all receives posted at the beginning.
///
///   messages p (p - 1)     volume (p - 1) total     longest chain p - 1
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::ntslr_nb_allgather {

namespace {

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks;
  const Member next = (task.me + 1) % p, previous = (task.me + p - 1) % p;
  for (std::uint32_t i = 0; i + 1 < p; ++i)
    co_yield start_receive(i, previous, share(task.shares, (task.me + 2 * p - 1 - i) % p));
  for (std::uint32_t i = 0; i + 1 < p; ++i) {
    co_yield start_send(p, next, share(task.shares, (task.me + p - i) % p));
    co_yield wait(i);
    co_yield wait(p);
  }
}

Cost cost(const Task& task) {
  const double p = task.ranks;
  return {p * (p - 1.0), (p - 1.0) * static_cast<double>(task.elements()), p - 1.0};
}

const bool entered = enter({Operation::allgather}, {
                                                       .name = "NTSLR_NB",
                                                       .summary = "ring between neighbours, receives posted at once",
                                                       .source = "Faraj & Yuan, ICS 2005 (SMPI 'NTSLR_NB')",
                                                       .actions = actions,
                                                       .cost = cost,
                                                   });

}  // namespace

}  // namespace orrery::collectives::ntslr_nb_allgather
