/// One channel of a collective in rings of GPUs (gpu.hpp): its reducing and its gathering half.
#pragma once

#include "kernels/collectives/gpu.hpp"

namespace orrery::collectives {

/// Before a ring's first message, by protocol.
///
/// Source   NCCL 2.27, src/graph/tuning.cc, base latencies
inline constexpr HopLatency nccl_ring_launch{Seconds{6.6e-6}, Seconds{14e-6}, Seconds{8.4e-6}};
inline constexpr HopLatency nccl_tree_launch{Seconds{6.8e-6}, Seconds{14e-6}, Seconds{8.4e-6}};

/// As many as rings(), fewer of short vectors (worth_of_block; by LL times the members) and of few elements.
std::uint32_t ring_channels(const Task& task, GpuProtocol protocol);

class RingPart {
 public:
  /// Requests of a lane: one receive; the sends of a window from `receives` on.
  static constexpr std::uint32_t receives = 1;

  RingPart(const Task& task, std::uint32_t channel, std::uint32_t channels);
  /// Each share goes round the ring while it is reduced and ends at its owner. `first_turn`: of its waits.
  Generator<Action> reduce(SendWindow* window) const;
  /// Each owner's share goes round the ring.
  Generator<Action> gather(SendWindow* window, std::uint32_t first_turn) const;

 private:
  Data piece(std::uint32_t behind) const;

  const Task* task_;
  std::uint32_t channel_, channels_, place_;
  Ring ring_;
};

}  // namespace orrery::collectives
