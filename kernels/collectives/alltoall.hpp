/// What all-to-all algorithms share.
#pragma once

#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives {

inline Data my_block(const Task& task, Member to) { return block(task.ranks, task.me, to, task.pairs); }
inline Data block_for_me(const Task& task, Member from) { return block(task.ranks, from, task.me, task.pairs); }

/// Every block goes straight from its owner to its destination: all at once, or in p - 1 steps one after another.
Cost direct_cost(const Task& task);
Cost stepwise_cost(const Task& task);

}  // namespace orrery::collectives
