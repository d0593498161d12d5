/// The flows of one class, ordered by the bytes at which they finish; equal ones in the order they began.
///
/// All classes share one pool of nodes; each queue is a pairing heap that is one number long. Adding compares with the
/// first flow only; taking the first costs O(log n) amortised.
///
/// Source   Fredman, Sedgewick, Sleator & Tarjan, The pairing heap, Algorithmica 1, 1986
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace orrery::replay {

class FlowQueues {
 public:
  using Queue = std::uint32_t;
  static constexpr Queue empty = 0xffffffffu;

  double first_finish(Queue queue) const { return nodes_[queue].finish; }

  void add(Queue& queue, double finish, std::uint32_t flow) {
    Queue node = free_;
    if (node == empty) {
      node = static_cast<Queue>(nodes_.size());
      nodes_.emplace_back();
    } else {
      free_ = nodes_[node].next;
    }
    nodes_[node] = {finish, sequence_++, flow, empty, empty};
    queue = queue == empty ? node : join(queue, node);
  }

  /// Removes the flow that finishes first and returns its number.
  std::uint32_t take_first(Queue& queue) {
    const Queue first = queue;
    queue = pair_up(nodes_[first].child);
    nodes_[first].next = std::exchange(free_, first);
    return nodes_[first].flow;
  }

  /// All finishes move down by `bytes`.
  void rebase(Queue queue, double bytes) {
    std::vector<Queue> lists{queue};
    while (!lists.empty()) {
      Queue node = lists.back();
      lists.pop_back();
      for (; node != empty; node = nodes_[node].next) {
        nodes_[node].finish -= bytes;
        if (nodes_[node].child != empty) lists.push_back(nodes_[node].child);
      }
    }
  }

 private:
  struct Node {
    double finish = 0.0;
    std::uint32_t sequence = 0, flow = 0;
    Queue child = empty, next = empty;
  };

  bool before(Queue a, Queue b) const {
    const Node &left = nodes_[a], &right = nodes_[b];
    return left.finish < right.finish || (left.finish == right.finish && left.sequence < right.sequence);
  }
  Queue join(Queue a, Queue b) {
    if (before(b, a)) std::swap(a, b);
    nodes_[b].next = std::exchange(nodes_[a].child, b);
    return a;
  }
  Queue pair_up(Queue list) {
    Queue pairs = empty;  // joined two by two, then all together from the back
    while (list != empty) {
      Queue one = list;
      const Queue other = nodes_[one].next;
      list = other == empty ? empty : nodes_[other].next;
      if (other != empty) {
        nodes_[other].next = empty;
        nodes_[one].next = empty;
        one = join(one, other);
      }
      nodes_[one].next = std::exchange(pairs, one);
    }
    Queue whole = empty;
    while (pairs != empty) {
      const Queue next = std::exchange(nodes_[pairs].next, empty);
      whole = whole == empty ? pairs : join(whole, pairs);
      pairs = next;
    }
    return whole;
  }

  std::vector<Node> nodes_;
  Queue free_ = empty;
  std::uint32_t sequence_ = 0;
};

}  // namespace orrery::replay
