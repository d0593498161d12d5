/// Ring: each share goes once around the ring while it is reduced, then once more as a result.
///
///   messages 2 p (p - 1)     volume 2 (p - 1) m     longest chain 2 (p - 1)
///
/// Differs  SMPI reduces the m mod p last elements by a collective of their own; here shares differ by one element
///          (as in Open MPI's ring)
#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives::lr_allreduce {

namespace {

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks;
  const Member next = (task.me + 1) % p, previous = (task.me + p - 1) % p;
  const auto share_behind = [&](std::uint32_t i) { return share(task.shares, (task.me + 2 * p - i) % p); };
  const std::uint64_t one = task.shares.size(0);
  Action action =
      rearrange(task.elements());  // one variable for all, so that the frame is short: rings have many steps
  co_yield action;
  action = allocate({one, one});
  co_yield action;
  for (std::uint32_t i = 1; i < p; ++i) {
    action = exchange(next, share_behind(i), previous, share_behind(i + 1), scratch);
    co_yield action;
    action = combine(share_behind(i + 1));
    co_yield action;
  }
  for (std::uint32_t i = 0; i + 1 < p; ++i) {
    action = exchange(next, share_behind(i), previous, share_behind(i + 1));
    co_yield action;
  }
}

Cost cost(const Task& task) {
  const double p = task.ranks, steps = 2.0 * (p - 1.0);
  return {p * steps, steps * static_cast<double>(task.elements()), steps};
}

std::string_view instead(const Task& task) { return task.elements() < task.ranks ? "rdb" : ""; }

const bool entered =
    enter({Operation::allreduce}, {.name = "lr",
                                   .summary = "ring: reduce-scatter and allgather, 2 (p - 1) steps of m / p",
                                   .source = "Patarasuk & Yuan, JPDC 69(2), 2009; fewer elements than ranks: rdb",
                                   .actions = actions,
                                   .cost = cost,
                                   .instead = instead});

}  // namespace

}  // namespace orrery::collectives::lr_allreduce
