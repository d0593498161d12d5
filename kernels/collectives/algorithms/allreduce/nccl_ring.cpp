/// GPUs in rings, one for each rail: a share of a share goes once round each while it is reduced, then once more as a
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

template <GpuProtocol protocol>
std::vector<Generator<Action>> lanes(const Task& task) {
  std::vector<Generator<Action>> all;
  const std::uint32_t channels = ring_channels(task, protocol);
  for (std::uint32_t channel = 0; channel < channels; ++channel) all.push_back(lane(task, channel, channels));
  return all;
}

template <GpuProtocol protocol>
Cost cost(const Task& task) {
  const double p = task.ranks, steps = 2.0 * (p - 1.0);
  return {ring_channels(task, protocol) * p * steps, steps * static_cast<double>(task.elements()), steps};
}

const bool entered =
    enter_in_protocols({Operation::allreduce},
                       {.name = "nccl_ring",
                        .summary = "GPUs: a ring for each rail",
                        .source = "NCCL 2.27 ring; Patarasuk & Yuan, JPDC 69(2), 2009"},
                       {lanes<GpuProtocol::ll>, lanes<GpuProtocol::ll128>, lanes<GpuProtocol::simple>},
                       nccl_ring_launch, {cost<GpuProtocol::ll>, cost<GpuProtocol::ll128>, cost<GpuProtocol::simple>});

}  // namespace

}  // namespace orrery::collectives::nccl_ring_allreduce
