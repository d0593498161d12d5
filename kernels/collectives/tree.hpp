/// Trees over the members of a task, from the view of one of them. Distances are counted from the root.
#pragma once

#include <vector>

#include "kernels/collectives/algorithm.hpp"

namespace orrery::collectives {

struct Tree {
  bool is_root = true;
  Member parent = 0;             ///< meaningless for the root
  std::vector<Member> children;  ///< in the order of their messages
};

/// d's parent lacks d's lowest bit set; children d + 1, d + 2, d + 4 .. below that bit. A child's subtree is an
/// interval.
Tree binomial_low(const Task& task);
/// d's parent lacks d's highest bit set; children d + 2^k above that bit, nearest first.
Tree binomial_high(const Task& task);
/// Digits to the base `radix` instead of bits: d's parent lacks d's lowest digit; farthest children first.
Tree knomial(const Task& task, std::uint32_t radix);
/// Levels of 1, 2, 4 .. members; d of a level of w has children d + w and d + 2 w, so that a subtree of the root has
/// only odd or only even distances.
Tree binary_interleaved(const Task& task);
/// Children 2 d + 1 and 2 d + 2.
Tree binary_heap(const Task& task);
/// `count` chains of nearly equal length from the root.
Tree chains(const Task& task, std::uint32_t count);
/// Binary, rooted at the last member: reducing into it keeps operands in order.
Tree binary_in_order(const Task& task);

/// Most messages between the root and any member.
std::uint32_t knomial_depth(std::uint32_t ranks, std::uint32_t radix = 2);
std::uint32_t binary_depth(std::uint32_t ranks);

}  // namespace orrery::collectives
