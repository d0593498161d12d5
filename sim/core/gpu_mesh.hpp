/// Rings of GPUs over direct links between pairs, where no switch joins all of them.
///
///   most k with  for all a, b:  rings that pass from a to b or from b to a  <=  c(a, b)
///
///   c(a, b)  1  links between GPUs a and b, all equally fast
///   k        1  rings through all GPUs; each is used in both directions, as a link carries as much either way
///
/// Source   NCCL 2.27, src/graph/search.cc: rings that leave each GPU over a link with bandwidth left
/// Differs  NCCL takes the first rings that it finds at a speed; here the most rings, those over more links first. The
///          search ends after a fixed number of steps, with the most rings so far
/// Checked  tests/unit/core/gpu_mesh_test.cpp, tests/replay/gpu_mesh_test.cpp
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace orrery {

/// Links between the GPUs of a node.
struct GpuLinks {
  std::uint32_t gpus = 0;
  std::vector<std::uint32_t> counts;  ///< [gpus x gpus]

  std::uint32_t between(std::uint32_t a, std::uint32_t b) const { return counts[a * gpus + b]; }
};

/// Places in the span, in the order of the ring.
using GpuRing = std::vector<std::uint32_t>;

/// Each ring followed by its reverse. Empty: no ring of links passes all of these GPUs, or there are fewer than three.
std::vector<GpuRing> rings_over(const GpuLinks& links, std::span<const std::uint32_t> gpus);

}  // namespace orrery
