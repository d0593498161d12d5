#include "kernels/collectives/parts.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace orrery::collectives {

namespace {

/// How many distances from d on belong to the subtree of d in a binomial tree whose children lie below d's lowest bit.
std::uint32_t subtree_size(std::uint32_t distance, std::uint32_t ranks) {
  if (distance == 0) return ranks;
  return std::min(distance & (~distance + 1), ranks - distance);
}

Data subtree_shares(const Task& task, const Shares& shares, Member of) {
  const std::uint32_t distance = (of + task.ranks - task.root) % task.ranks;
  return cyclic_shares(shares, of, subtree_size(distance, task.ranks));
}

}  // namespace

Generator<Action> binomial_scatter(const Task& task, Shares pieces) {
  const auto subtree = [&](std::uint32_t distance) {
    return shares_between(pieces, distance, distance + subtree_size(distance, task.ranks));
  };
  const std::uint32_t distance = task.distance();
  const Tree tree = binomial_low(task);
  if (!tree.is_root && subtree(distance).elements > 0) co_yield receive(tree.parent, subtree(distance));
  for (std::size_t i = tree.children.size(); i-- > 0;) {
    const Data part = subtree((tree.children[i] + task.ranks - task.root) % task.ranks);
    if (part.elements > 0) co_yield send(tree.children[i], part);
  }
}

Generator<Action> ring_allgather(const Task& task, Shares pieces) {
  const std::uint32_t p = task.ranks, distance = task.distance();
  const Member next = (task.me + 1) % p, previous = (task.me + p - 1) % p;
  for (std::uint32_t i = 0; i + 1 < p; ++i)
    co_yield exchange(next, share(pieces, (distance + p - i) % p), previous,
                      share(pieces, (distance + 2 * p - 1 - i) % p));
}

Generator<Action> doubling_allgather(const Task& task, Shares pieces) {
  const std::uint32_t p = task.ranks, me = task.distance();
  for (std::uint32_t level = 0; (std::uint64_t{1} << level) < p; ++level) {
    const std::uint32_t bit = 1u << level, mine_begin = me & ~(bit - 1), theirs_begin = mine_begin ^ bit;
    const auto block = [&](std::uint32_t begin) {
      return shares_between(pieces, std::min(begin, p), std::min(begin + bit, p));
    };
    if (const std::uint32_t peer = me ^ bit; peer < p)
      co_yield exchange(task.from_root(peer), block(mine_begin), task.from_root(peer), block(theirs_begin));
    // Only the first `served` of my block had a partner when the other block is cut off by p.
    if (theirs_begin < mine_begin || theirs_begin >= p || theirs_begin + bit <= p) continue;
    const std::uint32_t served = p - theirs_begin;
    for (std::uint32_t half = bit / 2; half > 0; half /= 2) {
      const std::uint32_t begin = me & ~(2 * half - 1), peer = me ^ half;
      if (peer > me && me < begin + served && peer >= begin + served)
        co_yield send(task.from_root(peer), block(theirs_begin));
      if (peer < me && peer < begin + served && me >= begin + served)
        co_yield receive(task.from_root(peer), block(theirs_begin));
    }
  }
}

namespace {

Generator<Action> down_a_tree(const Task& task, Shares shares, Tree tree) {
  const Data mine_and_below = subtree_shares(task, shares, task.me);
  if (!tree.is_root && !tree.children.empty()) {
    const Action buffer = allocate({mine_and_below.elements});
    co_yield buffer;
  }
  if (!tree.is_root) co_yield receive(tree.parent, mine_and_below);
  for (const Member child : tree.children) co_yield send(child, subtree_shares(task, shares, child));
}

}  // namespace

Generator<Action> binomial_scatter_near(const Task& task, Shares shares) {
  return down_a_tree(task, std::move(shares), binomial_low(task));
}

Generator<Action> binomial_scatter_far(const Task& task, Shares shares) {
  Tree tree = binomial_low(task);
  std::ranges::reverse(tree.children);
  return down_a_tree(task, std::move(shares), std::move(tree));
}

Generator<Action> binomial_gather_near(const Task& task, Shares shares) {
  const Tree tree = binomial_low(task);
  const Data mine_and_below = subtree_shares(task, shares, task.me);
  if (!tree.is_root && !tree.children.empty()) {
    const Action buffer = allocate({mine_and_below.elements});
    co_yield buffer;
  }
  for (const Member child : tree.children) co_yield receive(child, subtree_shares(task, shares, child));
  if (!tree.is_root) co_yield send(tree.parent, mine_and_below);
}

Cost binomial_cost(const Task& task) {
  Cost cost{.messages = task.ranks - 1.0, .rounds = static_cast<double>(knomial_depth(task.ranks))};
  for (std::uint32_t distance = 1; distance < task.ranks; ++distance)  // a share travels once per bit of its distance
    cost.elements += static_cast<double>(task.shares.size(task.from_root(distance))) * std::popcount(distance);
  return cost;
}

Cost linear_cost(const Task& task) {
  const std::uint64_t sent = task.elements() - task.shares.size(task.root);
  return {task.ranks - 1.0, static_cast<double>(sent), 1.0};
}

}  // namespace orrery::collectives
