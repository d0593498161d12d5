#include "kernels/collectives/gpu_ring.hpp"

#include <algorithm>

namespace orrery::collectives {

std::uint32_t ring_channels(const Task& task, GpuProtocol protocol) {
  const std::uint64_t most = std::max<std::uint64_t>(1, task.elements() / task.ranks);
  const double members = protocol == GpuProtocol::ll ? task.ranks : 1.0;
  const double blocks = static_cast<double>(task.elements()) * task.element / (members * worth_of_block(protocol));
  const auto worth = static_cast<std::uint64_t>(std::clamp(blocks, 1.0, static_cast<double>(rings(task))));
  return static_cast<std::uint32_t>(std::min(worth, most));
}

RingPart::RingPart(const Task& task, std::uint32_t channel, std::uint32_t channels)
    : task_(&task), channel_(channel), channels_(channels), ring_(task, channel) {
  place_ = ring_.position(task.me);
}

/// This channel's part of the share whose owner is so far behind me.
Data RingPart::piece(std::uint32_t behind) const {
  const Member owner = ring_.member(place_ + 2 * task_->ranks - behind);
  const Shares cut = Shares::balanced(channels_, task_->shares.size(owner));
  return run(task_->shares.begin(owner) + cut.begin(channel_), cut.size(channel_));
}

Generator<Action> RingPart::reduce(SendWindow* window) const {
  const std::uint32_t p = task_->ranks;
  const Member next = ring_.member(place_ + 1), previous = ring_.member(place_ + p - 1);
  const Buffer buffer = scratch + channel_;
  for (std::uint32_t i = 1; i < p; ++i) {
    if (window->full()) co_yield wait(window->next()).at(i - 1);
    co_yield start_send(window->next(), next, piece(i)).on(channel_);
    window->sent();
    co_yield start_receive(0, previous, piece(i + 1), buffer).on(channel_);
    co_yield wait(0).at(i);
    co_yield combine(piece(i + 1), buffer);
  }
}

Generator<Action> RingPart::gather(SendWindow* window, std::uint32_t first_turn) const {
  const std::uint32_t p = task_->ranks;
  const Member next = ring_.member(place_ + 1), previous = ring_.member(place_ + p - 1);
  for (std::uint32_t i = 0; i + 1 < p; ++i) {
    if (window->full()) co_yield wait(window->next()).at(first_turn + i);
    co_yield start_send(window->next(), next, piece(i)).on(channel_);
    window->sent();
    co_yield start_receive(0, previous, piece(i + 1)).on(channel_);
    co_yield wait(0).at(first_turn + i + 1);
  }
}

}  // namespace orrery::collectives
