/// Pairwise: in step i members whose numbers differ by exclusive or with i exchange their shares.
///
///   messages p (p - 1)     volume (p - 1) total     longest chain p - 1
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::pair_allgather {

namespace {

Generator<Action> actions(const Task& task) {
  for (std::uint32_t i = 1; i < task.ranks; ++i) {
    const Member peer = task.me ^ i;
    co_yield exchange(peer, share(task.shares, task.me), peer, share(task.shares, peer));
  }
}

Cost cost(const Task& task) {
  const double p = task.ranks;
  return {p * (p - 1.0), (p - 1.0) * static_cast<double>(task.elements()), p - 1.0};
}

std::string_view instead(const Task& task) { return power_of_two(task.ranks) ? "" : "ring"; }

const bool entered = enter({Operation::allgather, Operation::allgatherv},
                           {.name = "pair",
                            .summary = "pairwise exchange, p - 1 steps",
                            .source = "Faraj & Yuan, ICS 2005 (SMPI 'pair'); p not a power of two: ring",
                            .actions = actions,
                            .cost = cost,
                            .instead = instead});

}  // namespace

}  // namespace orrery::collectives::pair_allgather
