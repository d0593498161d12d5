/// GPUs in rings, one for each rail: a share of a share goes once around each while it is reduced, then once more as a
/// result.
///
///   c rings: messages 2 c p (p - 1)     volume 2 (p - 1) m     longest chain 2 (p - 1)
///
/// Source   NCCL 2.27, src/device/all_reduce.h, runRing
/// Differs  NCCL loops over chunks of 2 MiB a share; here a share goes in one, as a ring is full whatever its chunks
#include "kernels/collectives/gpu_ring.hpp"

namespace orrery::collectives::nccl_ring_allreduce {

namespace {

Generator<Action> lane(Task task, std::uint32_t channel, std::uint32_t channels) {
  const RingPart part(task, channel, channels);
  SendWindow window(RingPart::receives);
  co_yield elements_of(part.reduce(&window));
  co_yield elements_of(part.gather(&window, task.ranks - 1));
  for (const std::uint32_t request : window.open()) co_yield wait(request).at(2 * task.ranks);
}

const bool entered = enter_in_protocols({Operation::allreduce},
                                        {.name = "nccl_ring",
                                         .summary = "GPUs: a ring for each rail",
                                         .source = "NCCL 2.27 ring; Patarasuk & Yuan, JPDC 69(2), 2009"},
                                        ring_lanes<lane>, nccl_ring_launch, ring_costs<2>);

}  // namespace

}  // namespace orrery::collectives::nccl_ring_allreduce
