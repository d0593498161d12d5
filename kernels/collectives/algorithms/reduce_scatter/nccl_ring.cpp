/// GPUs in rings, one for each rail: each share goes once around while it is reduced, and ends at its owner.
///
///   c rings: messages c p (p - 1)     volume (p - 1) total     longest chain p - 1
///
/// Source   NCCL 2.27, src/device/reduce_scatter.h
#include "kernels/collectives/gpu_ring.hpp"

namespace orrery::collectives::nccl_ring_reduce_scatter {

namespace {

Generator<Action> lane(Task task, std::uint32_t channel, std::uint32_t channels) {
  const RingPart part(task, channel, channels);
  SendWindow window(RingPart::receives);
  co_yield elements_of(part.reduce(&window));
  for (const std::uint32_t request : window.open()) co_yield wait(request).at(task.ranks);
}

const bool entered =
    enter_in_protocols({Operation::reduce_scatter},
                       {.name = "nccl_ring", .summary = "GPUs: a ring for each rail", .source = "NCCL 2.27 ring"},
                       ring_lanes<lane>, nccl_ring_launch, ring_costs<1>);

}  // namespace

}  // namespace orrery::collectives::nccl_ring_reduce_scatter
