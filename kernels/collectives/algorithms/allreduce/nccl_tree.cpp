/// GPUs in double binary trees, two for each rail: a chain in each node, and a binary tree and its complement over the
/// nodes' heads, each with half of the rail's part. Chunks are reduced up the tree and broadcast down it.
///
///   t trees, n chunks of each: messages 2 t n (p - 1)     volume 2 (p - 1) m
///
/// Source   NCCL 2.27, src/device/all_reduce.h, runTreeSplit; src/graph/trees.cc; Sanders, Speck & Traeff, Parallel
///          Computing 35(12), 2009
#include "kernels/collectives/gpu_ring.hpp"
#include "kernels/collectives/gpu_tree.hpp"

namespace orrery::collectives::nccl_tree_allreduce {

namespace {

/// Both directions of a channel have messages of their own.
constexpr std::uint32_t up(std::uint32_t channel) { return 2 * channel; }
constexpr std::uint32_t down(std::uint32_t channel) { return 2 * channel + 1; }

Generator<Action> reduce_lane(Task task, TreePart part) {
  const Branch branch = branch_of(task, part.channel);
  Windows out = Windows::of_tree(task, branch.is_root ? branch.children : std::vector<Member>{branch.parent});
  const Buffer buffer = scratch + 4 * part.channel;
  for (std::uint32_t k = 0; k < part.chunks.count(); ++k) {
    for (std::uint32_t i = 0; i < branch.children.size(); ++i)
      co_yield start_receive(i, branch.children[i], part.chunks[k], buffer + i).on(up(part.channel));
    for (std::uint32_t i = 0; i < branch.children.size(); ++i) {
      co_yield wait(i).at(k);
      co_yield combine(part.chunks[k], buffer + i);
    }
    if (!branch.is_root)
      co_yield elements_of(out.send(0, branch.parent, part.chunks[k], up(part.channel), k));
    else
      for (std::uint32_t i = 0; i < branch.children.size(); ++i)
        co_yield elements_of(out.send(i, branch.children[i], part.chunks[k], down(part.channel), k));
  }
  co_yield elements_of(out.finish(part.chunks.count()));
}

Generator<Action> broadcast_lane(Task task, TreePart part) {
  const Branch branch = branch_of(task, part.channel);
  if (branch.is_root) co_return;
  Windows out = Windows::of_tree(task, branch.children);
  for (std::uint32_t k = 0; k < part.chunks.count(); ++k) {
    co_yield start_receive(0, branch.parent, part.chunks[k]).on(down(part.channel));
    co_yield wait(0).at(k);
    for (std::uint32_t i = 0; i < branch.children.size(); ++i)
      co_yield elements_of(out.send(i, branch.children[i], part.chunks[k], down(part.channel), k));
  }
  co_yield elements_of(out.finish(part.chunks.count()));
}

template <GpuProtocol protocol>
std::vector<Generator<Action>> lanes(const Task& task) {
  std::vector<Generator<Action>> all;
  const auto parts = tree_parts(task, protocol);
  all.reserve(2 * parts.size());
  for (const TreePart& part : parts) all.push_back(reduce_lane(task, part));
  for (const TreePart& part : parts) all.push_back(broadcast_lane(task, part));
  return all;
}

Cost cost(const Task& task) {
  const double p = task.ranks;
  return {no_formula, 2.0 * (p - 1.0) * static_cast<double>(task.elements()), no_formula};
}

const bool entered = enter_in_protocols(
    {Operation::allreduce},
    {.name = "nccl_tree",
     .summary = "GPUs: chains in nodes, a double binary tree over them, for each rail",
     .source = "NCCL 2.27 tree; Sanders, Speck & Traeff, Parallel Computing 35(12), 2009",
     .cost = cost},
    {lanes<GpuProtocol::ll>, lanes<GpuProtocol::ll128>, lanes<GpuProtocol::simple>}, nccl_tree_launch);

}  // namespace

}  // namespace orrery::collectives::nccl_tree_allreduce
