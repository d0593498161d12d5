/// GPUs in rings, one for each rail: each share goes once round.
///
///   c rings: messages c p (p - 1)     volume (p - 1) total     longest chain p - 1
///
/// Source   NCCL 2.27, src/device/all_gather.h
#include "kernels/collectives/gpu_ring.hpp"

namespace orrery::collectives::nccl_ring_allgather {

namespace {

Generator<Action> lane(Task task, std::uint32_t channel, std::uint32_t channels) {
  const RingPart part(task, channel, channels);
  SendWindow window(RingPart::receives);
  co_yield elements_of(part.gather(&window, 0));
  for (const std::uint32_t request : window.open()) co_yield wait(request).at(task.ranks);
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
  const double p = task.ranks;
  return {ring_channels(task, protocol) * p * (p - 1.0), (p - 1.0) * static_cast<double>(task.elements()), p - 1.0};
}

const bool entered =
    enter_in_protocols({Operation::allgather, Operation::allgatherv},
                       {.name = "nccl_ring", .summary = "GPUs: a ring for each rail", .source = "NCCL 2.27 ring"},
                       {lanes<GpuProtocol::ll>, lanes<GpuProtocol::ll128>, lanes<GpuProtocol::simple>},
                       nccl_ring_launch, {cost<GpuProtocol::ll>, cost<GpuProtocol::ll128>, cost<GpuProtocol::simple>});

}  // namespace

}  // namespace orrery::collectives::nccl_ring_allgather
