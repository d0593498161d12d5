/// One channel of a collective in rings of GPUs (gpu.hpp): its reducing and its gathering half.
#pragma once

#include "kernels/collectives/gpu.hpp"
#include "kernels/collectives/gpu_tree.hpp"

namespace orrery::collectives {

/// Before a ring's first message, by protocol.
///
/// Source   NCCL 2.27, src/graph/tuning.cc, base latencies
inline constexpr HopLatency nccl_ring_launch{Seconds{6.6e-6}, Seconds{14e-6}, Seconds{8.4e-6}};
inline constexpr HopLatency nccl_tree_launch{Seconds{6.8e-6}, Seconds{14e-6}, Seconds{8.4e-6}};

/// rings() channels, fewer for short vectors (worth_of_block; for LL times the members) and for few elements.
std::uint32_t ring_channels(const Task& task, GpuProtocol protocol);

class RingPart {
 public:
  /// Requests of a lane: one receive; from `receives` on the sends of a window.
  static constexpr std::uint32_t receives = 1;

  RingPart(const Task& task, std::uint32_t channel, std::uint32_t channels);
  /// Each share goes around the ring while it is reduced and ends at its owner. `first_turn`: of its waits.
  Generator<Action> reduce(SendWindow* window) const;
  /// Each owner's share goes around the ring.
  Generator<Action> gather(SendWindow* window, std::uint32_t first_turn) const;

 private:
  Data piece(std::uint32_t behind) const;

  const Task* task_;
  std::uint32_t channel_, channels_, place_;
  Ring ring_;
};

/// A lane of a ring, and the lanes of all rings by protocol.
using RingLane = Generator<Action> (*)(Task task, std::uint32_t channel, std::uint32_t channels);
template <RingLane lane, GpuProtocol protocol>
std::vector<Generator<Action>> lanes_of_rings(const Task& task) {
  std::vector<Generator<Action>> all;
  const std::uint32_t channels = ring_channels(task, protocol);
  for (std::uint32_t channel = 0; channel < channels; ++channel) all.push_back(lane(task, channel, channels));
  return all;
}
template <RingLane lane>
inline constexpr InProtocols ring_lanes{lanes_of_rings<lane, GpuProtocol::ll>, lanes_of_rings<lane, GpuProtocol::ll128>,
                                        lanes_of_rings<lane, GpuProtocol::simple>};

/// Each share of a vector goes `turns` times around a ring of p members, p - 1 messages a turn.
template <int turns, GpuProtocol protocol>
Cost cost_of_rings(const Task& task) {
  const double p = task.ranks, steps = turns * (p - 1.0);
  return {ring_channels(task, protocol) * p * steps, steps * static_cast<double>(task.elements()), steps};
}
template <int turns>
inline constexpr Costs ring_costs{cost_of_rings<turns, GpuProtocol::ll>, cost_of_rings<turns, GpuProtocol::ll128>,
                                  cost_of_rings<turns, GpuProtocol::simple>};

/// The same for a vector that goes around once in chunks, from or to the root.
using ChunkLane = Generator<Action> (*)(Task task, TreePart part);
template <ChunkLane lane, GpuProtocol protocol>
std::vector<Generator<Action>> lanes_of_chunks(const Task& task) {
  std::vector<Generator<Action>> all;
  for (const TreePart& part : ring_parts(task, protocol)) all.push_back(lane(task, part));
  return all;
}
template <ChunkLane lane>
inline constexpr InProtocols chunk_lanes{lanes_of_chunks<lane, GpuProtocol::ll>,
                                         lanes_of_chunks<lane, GpuProtocol::ll128>,
                                         lanes_of_chunks<lane, GpuProtocol::simple>};
inline Cost once_round(const Task& task) {
  return {no_formula, (task.ranks - 1.0) * static_cast<double>(task.elements()), no_formula};
}

}  // namespace orrery::collectives
