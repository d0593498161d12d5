/// Code shared by algorithms for GPUs: rails, rings and trees over nodes, chunks, and their protocols.
///
/// A rail is the GPUs of all nodes with the same number in their node, and the adjacent adapters. A collective is cut
/// into one channel for each rail, so that all adapters carry a part.
///
///   ring of channel c    node b begins at its GPU c - b and passes through all of its GPUs; so a node is left by the
///                        rail where the next one is entered
///   tree of channel c    in each node a chain from its head, the GPU beside adapter c; heads form a binary tree over
///                        nodes. Channel 2 c has one, 2 c + 1 its mirror image (p even) or the same shifted by one, in
///                        which the leaves of the first are inner nodes
///
/// GPUs that a switch connects are passed in the order of their numbers. If each pair has its own cable, that order
/// would leave most cables idle; each channel then takes another path, so that all cables have equal load (Walecki):
///
///   zigzag from c          c, c + 1, c - 1, c + 2, c - 2, ...: n chains of n GPUs use each direction of each cable once
///   ring in one node       GPU n - 1, then a zigzag of the others; each also backwards. n odd: n - 1 rings use each
///                          direction once; n even: 2 (n - 1) rings use each twice
///   between nodes, n even  node b is entered at GPU c + b n / 2 and passed by the zigzag from there
///
/// If only some pairs have links and no switch connects all, rings and chains use rings of links, each also backwards:
/// sim/core/gpu_mesh.hpp. With several nodes all channels use the ring over most links.
///
/// Source   NCCL 2.27, src/graph/rings.cc, search.cc, connect.cc and trees.cc; Sanders, Speck & Traeff, Parallel
///          Computing 35(12), 2009 (two trees); chunks: src/enqueue.cc, calcCollChunking; Alspach, The wonderful
///          Walecki construction, Bulletin of the ICA 52, 2008
/// Differs  NCCL copies each channel to fill the links with thread blocks (16 or more); here a channel is a rail and
///          its chunks are those of all its copies. Of long vectors chunks grow, so that a channel has 512 (of the
///          switch 1,024): what is left of the time that a pipeline takes to fill is below 2 %
/// Checked  tests/unit/kernels/collectives/gpu_test.cpp, tests/contract/every_collective_test.cpp
#pragma once

#include <array>
#include <functional>
#include <vector>

#include "kernels/collectives/pipeline.hpp"

namespace orrery::collectives {

/// The number of GPUs of the smallest node; one if each member has a separate node.
std::uint32_t rails(const Task& task);
/// The GPUs of a node where trees leave it: one for each adapter, at most one for each rail.
std::uint32_t heads(const Task& task);
/// The number of a member in its node.
std::uint32_t local_number(const Task& task, Member member);
inline std::uint32_t node_count(const Task& task) { return task.nodes.count(task.ranks); }
/// Number of parallel rings: one for each rail, or the number that loads all cables between GPUs without a switch.
std::uint32_t rings(const Task& task);

/// One ring, for any of its members.
class Ring {
 public:
  Ring(const Task& task, std::uint32_t channel);
  std::uint32_t position(Member member) const { return position_[member]; }
  Member member(std::uint32_t position) const { return order_[position % order_.size()]; }

 private:
  std::vector<Member> order_;
  std::vector<std::uint32_t> position_;
};

/// A binary tree over 0 .. count - 1 whose leaves and inner nodes alternate. Root 0 has one child.
struct NodeTree {
  static constexpr std::uint32_t none = 0xffffffffu;
  std::uint32_t parent = none;
  std::vector<std::uint32_t> children;
};
NodeTree alternating_tree(std::uint32_t count, std::uint32_t node);
/// Its complement: mirrored where count is even, else shifted by one.
NodeTree complementary_tree(std::uint32_t count, std::uint32_t node);

/// Neighbours of this member on one channel's tree: chains in nodes, a tree over their heads.
struct Branch {
  bool is_root = true;
  Member parent = 0;
  std::vector<Member> children;
};
/// For 2 * heads channels: even ones use the first tree, odd ones its complement.
Branch branch_of(const Task& task, std::uint32_t channel);
/// The same over only the GPUs of one rail.
Branch rail_branch_of(const Task& task, std::uint32_t channel);

/// Thread blocks of NCCL on eight GPUs, which divide the chunks of a channel.
inline constexpr std::uint32_t thread_blocks = 16;
/// Bytes per additional thread block: 32 KiB for Simple, 4 KiB for LL, 5 KiB for LL128.
Bytes worth_of_block(GpuProtocol protocol);
/// Number of trees for a message.
std::uint32_t tree_channels(const Task& task, GpuProtocol protocol);
/// For a message in chunks: elements of one chunk, with `channels` parallel channels; for the switch, of one thread
/// block.
std::uint64_t tree_chunk(const Task& task, GpuProtocol protocol, std::uint32_t channels);
std::uint64_t ring_chunk(const Task& task, GpuProtocol protocol, std::uint32_t channels);
std::uint64_t nvls_chunk(const Task& task, std::uint32_t heads);

/// Sends of a lane, of which a few may be in flight.
class SendWindow {
 public:
  static constexpr std::uint32_t slots = 8;  ///< NCCL_STEPS: slots of a connection's buffer
  explicit SendWindow(std::uint32_t first, std::uint32_t width = slots) : first_(first), width_(width) {}
  /// The request of the next send, and whether it must be waited for first.
  std::uint32_t next() const { return first_ + sent_ % width_; }
  bool full() const { return sent_ >= width_; }
  void sent() { ++sent_; }
  /// The open ones, oldest first.
  std::vector<std::uint32_t> open() const;

 private:
  std::uint32_t first_, width_, sent_ = 0;
};

/// Registers `<name>`, `<name>_ll128` and `<name>_ll`. `launch` by protocol: LL, LL128, Simple.
using Lanes = std::vector<Generator<Action>> (*)(const Task&);
struct InProtocols {
  Lanes ll, ll128, simple;
};
using Costs = std::array<Cost (*)(const Task&), gpu_protocols>;
bool enter_in_protocols(const std::vector<Operation>& of, const Algorithm& algorithm, const InProtocols& lanes,
                        const HopLatency& launch, const Costs& costs = {});

}  // namespace orrery::collectives
