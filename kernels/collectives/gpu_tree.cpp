#include "kernels/collectives/gpu_tree.hpp"

namespace orrery::collectives {

std::vector<TreePart> tree_parts(const Task& task, GpuProtocol protocol) {
  const std::uint32_t channels = 2 * rails(task);
  const Shares cut = Shares::balanced(channels, task.elements());
  const std::uint64_t chunk = tree_chunk(task, protocol, channels);
  std::vector<TreePart> parts;
  for (std::uint32_t channel = 0; channel < channels; ++channel)
    if (channel == 0 || cut.size(channel) > 0)
      parts.push_back({channel, Segments(cut.begin(channel), cut.size(channel), chunk)});
  return parts;
}

Windows::Windows(std::size_t members, std::uint32_t width) {
  for (std::uint32_t i = 0; i < members; ++i) windows_.emplace_back(first + i * width, width);
}

Generator<Action> Windows::send(std::uint32_t window, Member to, Data data, std::uint32_t channel, std::uint32_t turn,
                                InSwitch in_switch) {
  Window& one = windows_[window];
  if (one.full()) co_yield wait(one.next()).at(turn);
  co_yield start_send(one.next(), to, data).on(channel).by(in_switch);
  one.sent();
}

Generator<Action> Windows::finish(std::uint32_t turn) const {
  for (const Window& window : windows_)
    for (const std::uint32_t request : window.open()) co_yield wait(request).at(turn);
}

}  // namespace orrery::collectives
