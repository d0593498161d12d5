#include "kernels/collectives/gpu_tree.hpp"

#include "kernels/collectives/gpu_ring.hpp"

namespace orrery::collectives {

namespace {

std::vector<TreePart> parts_of(const Task& task, std::uint32_t channels, std::uint64_t chunk) {
  const Shares cut = Shares::balanced(channels, task.elements());
  std::vector<TreePart> parts;
  for (std::uint32_t channel = 0; channel < channels; ++channel)
    if (channel == 0 || cut.size(channel) > 0)
      parts.push_back({channel, Segments(cut.begin(channel), cut.size(channel), chunk)});
  return parts;
}

}  // namespace

std::vector<TreePart> tree_parts(const Task& task, GpuProtocol protocol) {
  const std::uint32_t channels = tree_channels(task, protocol);
  return parts_of(task, channels, tree_chunk(task, protocol, channels));
}

std::vector<TreePart> ring_parts(const Task& task, GpuProtocol protocol) {
  const std::uint32_t channels = ring_channels(task, protocol);
  return parts_of(task, channels, ring_chunk(task, protocol, channels));
}

Windows::Windows(const std::vector<std::uint32_t>& widths) {
  std::uint32_t request = first;
  for (const std::uint32_t width : widths) {
    windows_.emplace_back(request, width);
    request += width;
  }
}

Windows Windows::of_tree(const Task& task, const std::vector<Member>& members) {
  const std::uint32_t node = task.nodes.node(task.me);
  std::vector<std::uint32_t> widths;
  widths.reserve(members.size());
  for (const Member member : members) widths.push_back(task.nodes.node(member) == node ? 2 : SendWindow::slots);
  return Windows(widths);
}

Generator<Action> Windows::send(std::uint32_t window, Member to, Data data, std::uint32_t channel, std::uint32_t turn,
                                InSwitch in_switch) {
  SendWindow& one = windows_[window];
  if (one.full()) co_yield wait(one.next()).at(turn);
  co_yield start_send(one.next(), to, data).on(channel).by(in_switch);
  one.sent();
}

Generator<Action> Windows::finish(std::uint32_t turn) const {
  for (const SendWindow& window : windows_)
    for (const std::uint32_t request : window.open()) co_yield wait(request).at(turn);
}

}  // namespace orrery::collectives
