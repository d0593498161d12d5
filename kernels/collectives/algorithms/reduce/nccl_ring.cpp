/// GPUs in rings, one for each rail: chunks are reduced along each, from the GPU after the root around to the root.
///
///   c rings, n chunks of each: messages c n (p - 1)     volume (p - 1) m     longest chain p - 2 + n
///
/// Source   NCCL 2.27, src/device/reduce.h
#include "kernels/collectives/gpu_ring.hpp"

namespace orrery::collectives::nccl_ring_reduce {

namespace {

Generator<Action> lane(Task task, TreePart part) {
  const Ring ring(task, part.channel);
  const std::uint32_t place = ring.position(task.me), p = task.ranks;
  const std::uint32_t before = (ring.position(task.root) + p - place) % p;
  const Member next = ring.member(place + 1), previous = ring.member(place + p - 1);
  const Buffer buffer = scratch + part.channel;
  Windows out = Windows::of_tree(task, {next});
  for (std::uint32_t k = 0; k < part.chunks.count(); ++k) {
    if (before + 1 < p) {
      co_yield start_receive(0, previous, part.chunks[k], buffer).on(part.channel);
      co_yield wait(0).at(k);
      co_yield combine(part.chunks[k], buffer);
    }
    if (before > 0) co_yield elements_of(out.send(0, next, part.chunks[k], part.channel, k));
  }
  co_yield elements_of(out.finish(part.chunks.count()));
}

const bool entered = enter_in_protocols(
    {Operation::reduce},
    {.name = "nccl_ring", .summary = "GPUs: a ring for each rail", .source = "NCCL 2.27 ring", .cost = once_round},
    chunk_lanes<lane>, nccl_ring_launch);

}  // namespace

}  // namespace orrery::collectives::nccl_ring_reduce
