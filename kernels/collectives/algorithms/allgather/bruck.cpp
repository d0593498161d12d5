/// Bruck: in round k every member sends its shares so far, at most 2^k, to the member 2^k before it.
///
///   messages p ceil(log2 p)     volume (p - 1) total     longest chain ceil(log2 p)
///   copies all shares to their final places: they were collected in the order that begins with one's own
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::bruck_allgather {

namespace {

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks;
  const Action buffer = allocate({task.elements()});
  co_yield buffer;
  for (std::uint64_t held = 1; held < p; held *= 2) {
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(held, p - held));
    const auto before = static_cast<Member>((task.me + p - held) % p),
               behind = static_cast<Member>((task.me + held) % p);
    co_yield exchange(before, cyclic_shares(task.shares, task.me, count), behind,
                      cyclic_shares(task.shares, behind, count));
  }
  co_yield rearrange(task.elements());
}

Cost cost(const Task& task) {
  const double p = task.ranks, rounds = log2_above(task.ranks);
  return {p * rounds, (p - 1.0) * static_cast<double>(task.elements()), rounds};
}

const bool entered =
    enter({Operation::allgather, Operation::allgatherv}, {
                                                             .name = "bruck",
                                                             .summary = "Bruck: doubling distances, log2 p rounds",
                                                             .source = "Bruck et al., IEEE TPDS 8(11), 1997; MPICH",
                                                             .actions = actions,
                                                             .cost = cost,
                                                         });
const bool entered_ompi =
    enter({Operation::allgatherv}, {
                                       .name = "ompi_bruck",
                                       .summary = "Bruck: doubling distances, log2 p rounds",
                                       .source = "Bruck et al., IEEE TPDS 8(11), 1997; Open MPI bruck",
                                       .actions = actions,
                                       .cost = cost,
                                   });

}  // namespace

}  // namespace orrery::collectives::bruck_allgather
