/// Spreading: in step i every member sends its own share to the i-th next member. (SMPI calls this a ring.)
///
///   messages p (p - 1)     volume (p - 1) total     longest chain p - 1
#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives::ring_allgather_entry {

namespace {

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks;
  for (std::uint32_t i = 1; i < p; ++i) {
    const Member to = (task.me + i) % p, from = (task.me + p - i) % p;
    co_yield exchange(to, share(task.shares, task.me), from, share(task.shares, from));
  }
}

Cost cost(const Task& task) {
  const double p = task.ranks;
  return {p * (p - 1.0), (p - 1.0) * static_cast<double>(task.elements()), p - 1.0};
}

const bool entered =
    enter({Operation::allgather, Operation::allgatherv}, {.name = "ring",
                                                          .summary = "in step i, own share to the i-th next member",
                                                          .source = "Faraj & Yuan, ICS 2005 (SMPI 'ring')",
                                                          .actions = actions,
                                                          .cost = cost});

}  // namespace

}  // namespace orrery::collectives::ring_allgather_entry
