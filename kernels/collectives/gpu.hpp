/// What algorithms for GPUs share: rails, rings and trees over nodes, chunks, and the protocols that they come in.
///
/// A rail is the GPUs of all nodes that have one number in their node, and the adapters beside them. A collective is
/// cut into one channel for each rail, so that all adapters carry their part.
///
///   ring of channel c    node b begins at its GPU c - b and passes all of its own; so a node is left by the rail by
///                        which the next one is entered
///   tree of channel c    in each node a chain from its head, the GPU beside adapter c; heads form a binary tree over
///                        nodes. Channel 2 c has one, 2 c + 1 its mirror image (p even) or the same shifted by one, in
///                        which the leaves of the first are inner nodes
///
/// GPUs that a switch joins are passed in the order of their numbers. Where a cable of its own joins each two of them,
/// that would leave most cables idle; there each channel goes another way, so that all cables carry as much (Walecki):
///
///   zigzag from c          c, c + 1, c - 1, c + 2, c - 2, ...: n chains of n GPUs use each direction of each cable once
///   ring in one node       GPU n - 1, then a zigzag of the others; each also backwards. n odd: n - 1 rings use each
///                          direction once; n even: 2 (n - 1) rings use each twice
///   between nodes, n even  node b is entered at GPU c + b n / 2 and passed by the zigzag from there
///
/// Where some of them have links and no switch joins all, rings and chains go over rings of links, each also backwards:
/// sim/core/gpu_mesh.hpp. Of several nodes all channels take the one over most links.
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

/// As many as the smallest node has GPUs; one where each member has a node to itself.
std::uint32_t rails(const Task& task);
/// The GPUs of a node at which trees leave it: one for each adapter, at most one for each rail.
std::uint32_t heads(const Task& task);
/// The number of a member in its node.
std::uint32_t local_number(const Task& task, Member member);
inline std::uint32_t node_count(const Task& task) { return task.nodes.count(task.ranks); }
/// Rings beside each other: one for each rail, or as many as load all cables between GPUs that no switch joins.
std::uint32_t rings(const Task& task);

/// One ring, seen from anywhere.
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

/// Members before and after me on one channel's tree: chains in nodes, a tree over their heads.
struct Branch {
  bool is_root = true;
  Member parent = 0;
  std::vector<Member> children;
};
/// Of 2 * heads: the even ones by the first tree, the odd ones by its complement.
Branch branch_of(const Task& task, std::uint32_t channel);
/// The same over the GPUs of one rail alone.
Branch rail_branch_of(const Task& task, std::uint32_t channel);

/// Thread blocks of NCCL on eight GPUs, among which chunks of a channel are counted.
inline constexpr std::uint32_t thread_blocks = 16;
/// A thread block more for each so many bytes: 32 KiB by Simple, 4 KiB by LL, 5 KiB by LL128.
Bytes worth_of_block(GpuProtocol protocol);
/// Trees that a message is worth.
std::uint32_t tree_channels(const Task& task, GpuProtocol protocol);
/// A message that travels in chunks: elements of one, of `channels` channels beside each other; of the switch, of one
/// thread block.
std::uint64_t tree_chunk(const Task& task, GpuProtocol protocol, std::uint32_t channels);
std::uint64_t ring_chunk(const Task& task, GpuProtocol protocol, std::uint32_t channels);
std::uint64_t nvls_chunk(const Task& task, std::uint32_t heads);

/// Sends of a lane, of which a few may be under way.
class SendWindow {
 public:
  static constexpr std::uint32_t slots = 8;  ///< NCCL_STEPS: of a connection's buffer
  explicit SendWindow(std::uint32_t first, std::uint32_t width = slots) : first_(first), width_(width) {}
  /// The request of the next send, and whether one is to be waited for before it.
  std::uint32_t next() const { return first_ + sent_ % width_; }
  bool full() const { return sent_ >= width_; }
  void sent() { ++sent_; }
  /// Those that are still open, oldest first.
  std::vector<std::uint32_t> open() const;

 private:
  std::uint32_t first_, width_, sent_ = 0;
};

/// Enters `<name>`, `<name>_ll128` and `<name>_ll`. `launch` by protocol: LL, LL128, Simple.
using Lanes = std::vector<Generator<Action>> (*)(const Task&);
struct InProtocols {
  Lanes ll, ll128, simple;
};
using Costs = std::array<Cost (*)(const Task&), gpu_protocols>;
bool enter_in_protocols(const std::vector<Operation>& of, const Algorithm& algorithm, const InProtocols& lanes,
                        const HopLatency& launch, const Costs& costs = {});

}  // namespace orrery::collectives
