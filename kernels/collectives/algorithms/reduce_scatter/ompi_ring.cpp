/// Ring: each share goes once around the ring while it is reduced, and ends at its owner.
///
///   messages p (p - 1)     volume (p - 1) total     longest chain p - 1
#include "kernels/collectives/parts.hpp"

namespace orrery::collectives::ompi_ring_reduce_scatter {

namespace {

Generator<Action> actions(const Task& task) {
  const std::uint32_t p = task.ranks;
  const Member next = (task.me + 1) % p, previous = (task.me + p - 1) % p;
  const auto behind = [&](std::uint32_t i) { return share(task.shares, (task.me + 2 * p - i) % p); };
  const std::uint64_t one = task.shares.size(0);
  const Action buffers = allocate({task.elements(), one, one});
  co_yield buffers;
  co_yield rearrange(task.elements());
  co_yield start_receive(0, previous, behind(2), scratch);
  co_yield first_sent(task.elements());
  co_yield send(next, behind(1));
  for (std::uint32_t k = 2; k < p; ++k) {
    co_yield start_receive((k + 1) % 2, previous, behind(k + 1), scratch + (k + 1) % 2);
    co_yield wait(k % 2);
    co_yield combine(behind(k), scratch + k % 2);
    co_yield first_sent(task.elements());
    co_yield send(next, behind(k));
  }
  co_yield wait(p % 2);
  co_yield combine(behind(p), scratch + p % 2);
  co_yield rearrange(task.shares.size(task.me));
}

Cost cost(const Task& task) {
  const double p = task.ranks;
  return {p * (p - 1.0), (p - 1.0) * static_cast<double>(task.elements()), p - 1.0};
}

const bool entered = enter({Operation::reduce_scatter}, {
                                                            .name = "ompi_ring",
                                                            .summary = "ring, p - 1 steps",
                                                            .source = "Open MPI ring",
                                                            .actions = actions,
                                                            .cost = cost,
                                                        });

}  // namespace

}  // namespace orrery::collectives::ompi_ring_reduce_scatter
