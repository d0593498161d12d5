#include "kernels/collectives/gpu_nvls.hpp"

#include <algorithm>

namespace orrery::collectives {

namespace {

/// What the messages of one half are told apart by.
struct Channels {
  std::uint32_t pull, up, down, push;
};
constexpr Channels channels_of(std::uint32_t half) { return {4 * half, 4 * half + 1, 4 * half + 2, 4 * half + 3}; }
constexpr std::uint32_t ready = 8, done = 9;

/// One member's place in its node.
struct NodeMember {
  Task task;
  std::uint32_t node = 0, number = 0, size = 1, halves = 1;

  Member member(std::uint32_t other) const { return task.nodes.member(node, other % size); }
  Member next() const { return member(number + 1); }
  Member previous() const { return member(number + size - 1); }
  /// The chunks of a half of one member's share.
  Segments chunks(std::uint32_t of, std::uint32_t half) const {
    const Shares shares = Shares::balanced(size, task.elements());
    const Shares cut = Shares::balanced(halves, shares.size(of % size));
    return {shares.begin(of % size) + cut.begin(half), cut.size(half), nvls_chunk(task, size)};
  }
  std::uint64_t first_chunks() const {
    return std::min(task.elements(), thread_blocks * nvls_chunk(task, size) * size);
  }
};

NodeMember node_member(const Task& task) {
  const std::uint32_t node = task.nodes.node(task.me);
  return {task, node, local_number(task, task.me), task.nodes.size(node), node_count(task) > 1 ? 2u : 1u};
}

/// Tells all others of the node and hears from all of them. Requests from `Windows::first` on.
Generator<Action> tell_all(NodeMember gpu, std::uint32_t channel, std::uint32_t turn) {
  std::uint32_t request = Windows::first;
  for (std::uint32_t i = 1; i < gpu.size; ++i) {
    co_yield start_receive(request++, gpu.member(gpu.number + i), nothing()).on(channel);
    co_yield start_send(request++, gpu.member(gpu.number + i), nothing()).on(channel);
  }
  while (request > Windows::first) co_yield wait(--request).at(turn);
}

/// Once all are ready the switch reads for the member before me.
Generator<Action> serve_lane(NodeMember gpu) {
  co_yield rearrange(gpu.first_chunks());
  co_yield elements_of(tell_all(gpu, ready, 0));
  Windows out(std::vector<std::uint32_t>(gpu.halves, thread_blocks / gpu.halves));
  std::uint32_t turns = 0;
  for (bool any = true; any; ++turns) {
    any = false;
    for (std::uint32_t half = 0; half < gpu.halves; ++half) {
      const Segments chunks = gpu.chunks(gpu.number + gpu.size - 1, half);
      if (turns >= chunks.count()) continue;
      any = true;
      co_yield elements_of(
          out.send(half, gpu.previous(), chunks[turns], channels_of(half).pull, turns, InSwitch::reduce));
    }
  }
  co_yield elements_of(out.finish(turns));
}

/// To my own node a thread block has the switch do one chunk after another; of those to other nodes it fills buffers.
Windows sends_of(const NodeMember& gpu, const Branch& branch, bool first_leaves) {
  const std::uint32_t blocks = thread_blocks / gpu.halves;
  std::vector<std::uint32_t> widths(branch.children.size() + 1, SendWindow::slots * blocks);
  if (!first_leaves) widths.front() = blocks;
  return Windows(widths);
}

/// My share of the node, reduced over all nodes.
Generator<Action> reduce_lane(NodeMember gpu, std::uint32_t half) {
  const Channels channels = channels_of(half);
  const Branch branch = rail_branch_of(gpu.task, 2 * gpu.number + half);
  const Segments chunks = gpu.chunks(gpu.number, half);
  const std::uint32_t pull = 7;  // a request below those of the windows
  const Buffer buffer = scratch + 4 * half;
  Windows out = sends_of(gpu, branch, !branch.is_root);
  for (std::uint32_t k = 0; k < chunks.count(); ++k) {
    co_yield start_receive(pull, gpu.next(), chunks[k]).on(channels.pull);
    for (std::uint32_t i = 0; i < branch.children.size(); ++i)
      co_yield start_receive(i, branch.children[i], chunks[k], buffer + i).on(channels.up);
    co_yield wait(pull).at(k);
    for (std::uint32_t i = 0; i < branch.children.size(); ++i) {
      co_yield wait(i).at(k);
      co_yield combine(chunks[k], buffer + i);
    }
    if (!branch.is_root) {
      co_yield elements_of(out.send(0, branch.parent, chunks[k], channels.up, k));
      continue;
    }
    co_yield elements_of(out.send(0, gpu.next(), chunks[k], channels.push, k, InSwitch::multicast));
    for (std::uint32_t i = 0; i < branch.children.size(); ++i)
      co_yield elements_of(out.send(i + 1, branch.children[i], chunks[k], channels.down, k));
  }
  co_yield elements_of(out.finish(chunks.count()));
}

/// The result of my share to my node, and on down the tree.
Generator<Action> broadcast_lane(NodeMember gpu, std::uint32_t half) {
  const Channels channels = channels_of(half);
  const Branch branch = rail_branch_of(gpu.task, 2 * gpu.number + half);
  if (branch.is_root) co_return;
  const Segments chunks = gpu.chunks(gpu.number, half);
  Windows out = sends_of(gpu, branch, false);
  for (std::uint32_t k = 0; k < chunks.count(); ++k) {
    co_yield start_receive(0, branch.parent, chunks[k]).on(channels.down);
    co_yield wait(0).at(k);
    co_yield elements_of(out.send(0, gpu.next(), chunks[k], channels.push, k, InSwitch::multicast));
    for (std::uint32_t i = 0; i < branch.children.size(); ++i)
      co_yield elements_of(out.send(i + 1, branch.children[i], chunks[k], channels.down, k));
  }
  co_yield elements_of(out.finish(chunks.count()));
}

/// What the member before me multicasts; then all say that theirs has come.
Generator<Action> result_lane(NodeMember gpu) {
  std::uint32_t turns = 0;
  for (bool any = true; any; ++turns) {
    any = false;
    for (std::uint32_t half = 0; half < gpu.halves; ++half) {
      const Segments chunks = gpu.chunks(gpu.number + gpu.size - 1, half);
      if (turns >= chunks.count()) continue;
      any = true;
      co_yield start_receive(half, gpu.previous(), chunks[turns]).on(channels_of(half).push);
    }
    for (std::uint32_t half = 0; half < gpu.halves; ++half)
      if (turns < gpu.chunks(gpu.number + gpu.size - 1, half).count()) co_yield wait(half).at(turns);
  }
  co_yield elements_of(tell_all(gpu, done, turns + 1));
  co_yield rearrange(gpu.first_chunks());
}

}  // namespace

bool switches_can(const Task& task) {
  const std::uint32_t nodes = node_count(task), size = task.nodes.size(0);
  if (size < 2) return false;
  for (std::uint32_t node = 1; node < nodes; ++node)
    if (task.nodes.size(node) != size) return false;
  return true;
}

std::vector<Generator<Action>> switch_lanes(const Task& task) {
  const NodeMember gpu = node_member(task);
  std::vector<Generator<Action>> lanes;
  lanes.push_back(serve_lane(gpu));
  for (std::uint32_t half = 0; half < gpu.halves; ++half) lanes.push_back(reduce_lane(gpu, half));
  for (std::uint32_t half = 0; half < gpu.halves; ++half) lanes.push_back(broadcast_lane(gpu, half));
  lanes.push_back(result_lane(gpu));
  return lanes;
}

}  // namespace orrery::collectives
