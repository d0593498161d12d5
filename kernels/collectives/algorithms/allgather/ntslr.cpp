/// Ring between neighbours: in each step every member passes on the share that it got last.
///
///   messages p (p - 1)     volume (p - 1) total     longest chain p - 1
#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives::ntslr_allgather {

namespace {

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks;
  const Member next = (task.me + 1) % p, previous = (task.me + p - 1) % p;
  for (std::uint32_t i = 0; i + 1 < p; ++i)
    co_yield exchange(next, share(task.shares, (task.me + p - i) % p), previous,
                      share(task.shares, (task.me + 2 * p - 1 - i) % p));
}

Cost cost(const Task& task) {
  const double p = task.ranks;
  return {p * (p - 1.0), (p - 1.0) * static_cast<double>(task.elements()), p - 1.0};
}

const bool entered = enter({Operation::allgather, Operation::allgatherv},
                           {.name = "NTSLR",
                            .summary = "ring between neighbours, p - 1 steps",
                            .source = "Open MPI ring; Thakur, Rabenseifner & Gropp 2005, section 4.1",
                            .actions = actions,
                            .cost = cost});
// SMPI cuts shares above 256 KiB into pieces of that size, each of which then waits for the one before.
const bool entered_mpich = enter({Operation::allgatherv}, {.name = "mpich_ring",
                                                           .summary = "ring between neighbours, p - 1 steps",
                                                           .source = "MPICH; shares are sent whole",
                                                           .actions = actions,
                                                           .cost = cost});

}  // namespace

}  // namespace orrery::collectives::ntslr_allgather
