#include "kernels/collectives/tree.hpp"

#include <bit>

namespace orrery::collectives {

namespace {

Tree rooted(const Task& task) {
  Tree tree;
  tree.is_root = task.me == task.root;
  return tree;
}

/// Enters the child at a distance when there is one.
void adopt(const Task& task, Tree& tree, std::uint64_t distance) {
  if (distance < task.ranks) tree.children.push_back(task.from_root(distance));
}

}  // namespace

Tree binomial_low(const Task& task) {
  Tree tree = rooted(task);
  const std::uint64_t distance = task.distance();
  std::uint64_t bit = 1;
  for (; bit < task.ranks && (distance & bit) == 0; bit *= 2) adopt(task, tree, distance + bit);
  if (!tree.is_root) tree.parent = task.from_root(distance - bit);
  return tree;
}

Tree binomial_high(const Task& task) {
  Tree tree = rooted(task);
  const std::uint32_t distance = task.distance();
  if (!tree.is_root) tree.parent = task.from_root(distance - std::bit_floor(distance));
  for (std::uint64_t bit = std::uint64_t{1} << std::bit_width(distance); bit < task.ranks; bit *= 2)
    adopt(task, tree, distance + bit);
  return tree;
}

Tree knomial(const Task& task, std::uint32_t radix) {
  Tree tree = rooted(task);
  const std::uint64_t distance = task.distance();
  std::uint64_t level = 1;
  while (level < task.ranks && distance % (level * radix) == 0) level *= radix;
  if (!tree.is_root) tree.parent = task.from_root(distance - distance % (level * radix));
  for (level /= radix; level > 0; level /= radix)
    for (std::uint64_t digit = 1; digit < radix; ++digit) adopt(task, tree, distance + digit * level);
  return tree;
}

Tree binary_interleaved(const Task& task) {
  Tree tree = rooted(task);
  const std::uint64_t distance = task.distance();
  const std::uint64_t width = std::bit_floor(distance + 1);  // of this level, which starts at width - 1
  adopt(task, tree, distance + width);
  adopt(task, tree, distance + 2 * width);
  if (!tree.is_root) {
    const std::uint64_t above = width / 2;  // the level above starts at above - 1
    const std::uint64_t left = distance - above;
    tree.parent = task.from_root(left < 2 * above - 1 ? left : left - above);
  }
  return tree;
}

Tree binary_heap(const Task& task) {
  Tree tree = rooted(task);
  const std::uint64_t distance = task.distance();
  adopt(task, tree, 2 * distance + 1);
  adopt(task, tree, 2 * distance + 2);
  if (!tree.is_root) tree.parent = task.from_root((distance - 1) / 2);
  return tree;
}

Tree chains(const Task& task, std::uint32_t count) {
  Tree tree = rooted(task);
  if (task.ranks < 2) return tree;
  const Shares lengths = Shares::balanced(std::min(std::max(count, 1u), task.ranks - 1), task.ranks - 1);
  if (tree.is_root) {
    for (std::uint32_t chain = 0; chain < lengths.members(); ++chain) adopt(task, tree, 1 + lengths.begin(chain));
    return tree;
  }
  const std::uint32_t distance = task.distance();
  bool first = false, last = false;
  for (std::uint32_t chain = 0; chain < lengths.members(); ++chain) {
    first = first || distance == 1 + lengths.begin(chain);
    last = last || distance == lengths.begin(chain + 1);
  }
  tree.parent = first ? task.root : task.from_root(distance - 1);
  if (!last) adopt(task, tree, distance + 1);
  return tree;
}

Tree binary_in_order(const Task& task) {
  Tree tree;
  // The subtree [first, last] is rooted at its last member; below that, a right part of half its size comes first.
  Member first = 0, last = task.ranks - 1, parent = last;
  while (true) {
    const Member size = last - first + 1, right = size / 2;
    const Member boundary = first + right;  // where the left part starts, which ends at last - 1
    if (task.me == last) {
      tree.is_root = last == task.ranks - 1;
      tree.parent = parent;
      if (size > 1) tree.children.push_back(last - 1);
      if (size > 2) tree.children.push_back(boundary - 1);
      return tree;
    }
    parent = last;
    if (size > 2 && task.me < boundary)
      last = boundary - 1;
    else if (size > 2)
      first = boundary, last = last - 1;
    else
      last = last - 1;
  }
}

std::uint32_t knomial_depth(std::uint32_t ranks, std::uint32_t radix) {
  // Most non-zero digits of any d < ranks: those of ranks - 1 up to some digit, which is lowered, and all below it.
  std::uint32_t best = 0, below = 0, above = 0;
  for (std::uint32_t rest = ranks - 1; rest > 0; rest /= radix) above += rest % radix > 0;
  best = above;
  for (std::uint32_t rest = ranks - 1; rest > 0; rest /= radix, ++below) {
    const std::uint32_t digit = rest % radix;
    above -= digit > 0;
    if (digit > 0) best = std::max(best, above + below + (digit > 1 ? 1 : 0));
  }
  return best;
}

std::uint32_t binary_depth(std::uint32_t ranks) { return static_cast<std::uint32_t>(std::bit_width(ranks)) - 1; }

}  // namespace orrery::collectives
