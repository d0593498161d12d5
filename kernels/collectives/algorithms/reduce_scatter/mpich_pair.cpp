/// Pairwise: in step i every member sends the i-th next member's share to it, and combines the data it receives.
///
///   messages p (p - 1)     volume (p - 1) total     longest chain p - 1
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::mpich_pair_reduce_scatter {

namespace {

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks;
  const Data own = share(task.shares, task.me);
  co_yield rearrange(own.elements);
  const Action buffer = allocate({own.elements});
  co_yield buffer;
  for (std::uint32_t i = 1; i < p; ++i) {
    const Member to = (task.me + i) % p, from = (task.me + p - i) % p;
    co_yield exchange(to, share(task.shares, to), from, own, scratch);
    co_yield combine(own);
  }
}

Cost cost(const Task& task) {
  const double p = task.ranks;
  return {p * (p - 1.0), (p - 1.0) * static_cast<double>(task.elements()), p - 1.0};
}

const bool entered =
    enter({Operation::reduce_scatter}, {
                                           .name = "mpich_pair",
                                           .summary = "pairwise exchange, p - 1 steps",
                                           .source = "MPICH; Thakur, Rabenseifner & Gropp 2005, section 4.3",
                                           .actions = actions,
                                           .cost = cost,
                                       });

}  // namespace

}  // namespace orrery::collectives::mpich_pair_reduce_scatter
