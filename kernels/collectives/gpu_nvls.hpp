/// Allreduce by the switches of nodes, for nccl_nvls and nccl_nvls_tree.
///
/// GPU i of a node owns share i of the vector. For each chunk of it the switch reads what all GPUs of the node have and
/// hands the sum to GPU i; over several nodes the sums of a rail are reduced up a tree and broadcast down it (two
/// trees, half of the chunks each); then GPU i writes the result, and the switch multicasts it to all.
///
///   s GPUs of a node, m bytes: each GPU's link carries m + m / s in each direction
///     in    m to the switch, for all shares, and its own result m / s
///     out   its own sum m / s, and m, all results
///
/// Before the first chunk all GPUs of the node have said that their data are in buffers that the switch reaches, after
/// the last that their results are written. A first chunk is copied into such buffers before, a last one out of them
/// after; other copies go on meanwhile.
///
/// Source   NCCL 2.27, src/device/all_reduce.h, RunWorkColl NVLS and NVLS_TREE; src/enqueue.cc, calcCollChunking
/// Differs  NCCL's flags are counters that the switch adds up; here each GPU tells each other in a message of no bytes
#pragma once

#include "kernels/collectives/gpu_tree.hpp"

namespace orrery::collectives {

/// Before the first operation of the switch: with two operations of 1 us what NCCL 2.27 reckons for a hop of NVLS, 25
/// us (src/graph/tuning.cc).
inline constexpr Seconds nccl_switch_launch{23e-6};

/// Where several members share each node and all nodes have as many of them.
bool switches_can(const Task& task);
std::vector<Generator<Action>> switch_lanes(const Task& task);

}  // namespace orrery::collectives
