/// Open MPI's Bruck: in round k every member sends its shares so far, at most 2^k, to the member 2^k before it, all in
/// the buffer of the result.
///
///   messages p ceil(log2 p)     volume (p - 1) total     longest chain ceil(log2 p)
///   copies of member i: the first p - i shares aside, the others to the front, those back behind them: 2 p - i shares, i > 0
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::ompi_bruck_allgather {

namespace {

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks;
  for (std::uint64_t held = 1; held < p; held *= 2) {
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(held, p - held));
    const auto before = static_cast<Member>((task.me + p - held) % p),
               behind = static_cast<Member>((task.me + held) % p);
    co_yield exchange(before, cyclic_shares(task.shares, task.me, count), behind,
                      cyclic_shares(task.shares, behind, count));
  }
  if (task.me == 0) co_return;
  const std::uint64_t aside = task.shares.begin(p - task.me);
  const Action buffer = allocate({aside});
  co_yield buffer;
  co_yield rearrange(task.elements() + aside);
}

Cost cost(const Task& task) {
  const double p = task.ranks, rounds = log2_above(task.ranks);
  return {p * rounds, (p - 1.0) * static_cast<double>(task.elements()), rounds};
}

const bool entered = enter({Operation::allgather}, {.name = "ompi_bruck",
                                                    .summary = "Bruck: doubling distances, log2 p rounds, in place",
                                                    .source = "Bruck et al., IEEE TPDS 8(11), 1997; Open MPI bruck",
                                                    .actions = actions,
                                                    .cost = cost});

}  // namespace

}  // namespace orrery::collectives::ompi_bruck_allgather
