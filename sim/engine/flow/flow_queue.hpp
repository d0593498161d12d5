/// The flows of one class, ordered by the bytes at which they finish; equal ones in order of their start.
///
/// All classes share one pool of nodes; each queue is a pairing heap whose owner holds the first flow. Adding compares
/// with the first flow only; taking the first costs O(log n) amortised.
///
/// Source   Fredman, Sedgewick, Sleator & Tarjan, The pairing heap, Algorithmica 1, 1986
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/engine/ids.hpp"

namespace orrery::engine {

class FlowQueues {
 public:
  using Index = std::uint32_t;
  static constexpr Index empty = 0xffffffffu;
  /// The first flow is stored here, so that reading it, or ending it as the only flow, touches no other memory.
  struct Queue {
    double finish = 0.0;
    FlowId flow{};
    Index root = empty;  ///< its node; empty until a second flow came
  };

  void add_first(Queue& queue, double finish, FlowId flow) { queue = {finish, flow, empty}; }
  void add(Queue& queue, double finish, FlowId flow) {
    if (queue.root == empty) queue.root = node(queue.finish, queue.flow);
    const Index added = node(finish, flow);
    if (join(queue.root, added) == added) queue = {finish, flow, added};
  }

  /// Removes the flow that finishes first and returns its number; `last`: it is the only one.
  FlowId take_first(Queue& queue, bool last) {
    const FlowId flow = queue.flow;
    const Index taken = queue.root;
    if (taken == empty) return flow;
    free_.push_back(taken);
    queue.root = last ? empty : pair_up(nodes_[taken].child);
    if (!last) queue = {nodes_[queue.root].finish, nodes_[queue.root].flow, queue.root};
    return flow;
  }

  /// All finishes decrease by `bytes`.
  void rebase(Queue& queue, double bytes) {
    queue.finish -= bytes;
    if (queue.root == empty) return;
    std::vector<Index> lists{queue.root};
    while (!lists.empty()) {
      Index node = lists.back();
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
    std::uint32_t sequence = 0;
    FlowId flow{};
    Index child = empty, next = empty;
  };

  Index node(double finish, FlowId flow) {
    Index added = static_cast<Index>(nodes_.size());
    if (free_.empty()) {
      nodes_.emplace_back();
    } else {
      added = free_.back();
      free_.pop_back();
    }
    nodes_[added] = {finish, sequence_++, flow, empty, empty};
    return added;
  }
  bool before(Index a, Index b) const {
    const Node &left = nodes_[a], &right = nodes_[b];
    return left.finish < right.finish || (left.finish == right.finish && left.sequence < right.sequence);
  }
  Index join(Index a, Index b) {
    if (before(b, a)) std::swap(a, b);
    nodes_[b].next = std::exchange(nodes_[a].child, b);
    return a;
  }
  Index pair_up(Index list) {
    Index pairs = empty;  // merged in pairs, then all from the back
    while (list != empty) {
      Index one = list;
      const Index other = nodes_[one].next;
      list = other == empty ? empty : nodes_[other].next;
      if (other != empty) {
        nodes_[other].next = empty;
        nodes_[one].next = empty;
        one = join(one, other);
      }
      nodes_[one].next = std::exchange(pairs, one);
    }
    Index whole = empty;
    while (pairs != empty) {
      const Index next = std::exchange(nodes_[pairs].next, empty);
      whole = whole == empty ? pairs : join(whole, pairs);
      pairs = next;
    }
    return whole;
  }

  std::vector<Node> nodes_;
  std::vector<Index> free_;
  std::uint32_t sequence_ = 0;
};

}  // namespace orrery::engine
