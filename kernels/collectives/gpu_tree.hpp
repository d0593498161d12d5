/// Channels of collectives in trees of GPUs, and the sends of one of their lanes.
#pragma once

#include "kernels/collectives/gpu.hpp"

namespace orrery::collectives {

/// The part of a tree or a ring, in chunks.
struct TreePart {
  std::uint32_t channel = 0;
  Segments chunks{0, 0, 1};
};

/// Two trees for each head, fewer for short vectors, each with its part.
std::vector<TreePart> tree_parts(const Task& task, GpuProtocol protocol);

/// One ring for each rail, each with its part of a vector that goes around in chunks.
std::vector<TreePart> ring_parts(const Task& task, GpuProtocol protocol);

/// Sends of a lane to a few members, each with a separate window. Requests below `first` are the lane's.
class Windows {
 public:
  static constexpr std::uint32_t first = 8;
  /// The maximum sends in flight to each member.
  explicit Windows(const std::vector<std::uint32_t>& widths);
  /// Within a node a thread block copies one chunk after another: one in flight, and one whose flag is.
  static Windows of_tree(const Task& task, const std::vector<Member>& members);
  /// Sends in `turn`; waits if the window is full.
  Generator<Action> send(std::uint32_t window, Member to, Data data, std::uint32_t channel, std::uint32_t turn,
                         InSwitch in_switch = InSwitch::nothing);
  Generator<Action> finish(std::uint32_t turn) const;

 private:
  std::vector<SendWindow> windows_;
};

}  // namespace orrery::collectives
