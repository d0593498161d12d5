/// Allreduce by the switches of nodes, for nccl_nvls and nccl_nvls_tree.
///
/// GPU i of a node owns share i of the vector. For each chunk of it the switch reads the data of all GPUs of the node
/// and gives the sum to GPU i. Over several nodes the sums of a rail are reduced up a tree and broadcast down it (two
/// trees, half of the chunks each). Then GPU i writes the result, and the switch multicasts it to all.
///
///   s GPUs of a node, m bytes: each GPU's link carries m + m / s in each direction
///     in    m to the switch, for all shares, and its own result m / s
///     out   its own sum m / s, and m, all results
///
/// Before the first chunk all GPUs of the node have signalled that their data are in buffers that the switch reaches,
/// and after the last chunk that their results are written. A first chunk is first copied into such buffers, a last one
/// is finally copied out of them; other copies are overlapped.
///
/// Source   NCCL 2.27, src/device/all_reduce.h, RunWorkColl NVLS and NVLS_TREE; src/enqueue.cc, calcCollChunking
/// Differs  NCCL's flags are counters that the switch adds up; here each GPU tells each other in a message of no bytes
#pragma once

#include "kernels/collectives/gpu_tree.hpp"

namespace orrery::collectives {

/// Before the first operation of the switch: together with two operations of 1 us this is the 25 us that NCCL 2.27
/// assumes for a hop of NVLS (src/graph/tuning.cc).
inline constexpr Seconds nccl_switch_launch{23e-6};

/// Whether each node has several members and all nodes have the same number.
bool switches_can(const Task& task);
std::vector<Generator<Action>> switch_lanes(const Task& task);

}  // namespace orrery::collectives
