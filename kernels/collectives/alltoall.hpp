/// Code shared by all-to-all algorithms.
#pragma once

#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives {

inline Data my_block(const Task& task, Member to) { return block(task.ranks, task.me, to, task.pairs); }
inline Data block_for_me(const Task& task, Member from) { return block(task.ranks, from, task.me, task.pairs); }

/// Every block goes directly from its owner to its destination: all at the same time, or in p - 1 steps in order.
Cost direct_cost(const Task& task);
Cost stepwise_cost(const Task& task);

}  // namespace orrery::collectives
