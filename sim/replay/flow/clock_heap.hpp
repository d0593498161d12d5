/// A heap of dates, one per clock at most, that can be moved: four children per node, each node says where it went.
///
///   ClockHeap heap(where);   heap.set(clock, date);   heap.top();   heap.remove(clock);
///
/// `position(clock)` is a reference kept by the clock's owner. Ties go to the smaller clock number.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

namespace orrery::replay {

template <class Position>
class ClockHeap {
 public:
  using Clock = std::uint32_t;
  static constexpr std::uint32_t nowhere = 0xffffffffu;

  explicit ClockHeap(Position position) : position_(position) {}

  double next_date() const { return nodes_.empty() ? std::numeric_limits<double>::infinity() : nodes_.front().date; }
  Clock next_clock() const { return nodes_.front().clock; }

  void set(Clock clock, double date) {
    const std::uint32_t at = position_(clock);
    const Node node{date, clock};
    if (at == nowhere) {
      nodes_.push_back(node);
      rise(static_cast<std::uint32_t>(nodes_.size() - 1), node);
    } else if (node < nodes_[at]) {
      rise(at, node);
    } else {
      sink(at, node);
    }
  }

  void remove(Clock clock) {
    const std::uint32_t at = position_(clock);
    if (at == nowhere) return;
    position_(clock) = nowhere;
    const Node last = nodes_.back();
    nodes_.pop_back();
    if (at == nodes_.size()) return;
    if (at > 0 && last < nodes_[(at - 1) / 4])
      rise(at, last);
    else
      sink(at, last);
  }

 private:
  struct Node {
    double date;
    Clock clock;
    bool operator<(const Node& other) const { return date < other.date || (date == other.date && clock < other.clock); }
  };

  void put(std::uint32_t at, const Node& node) {
    nodes_[at] = node;
    position_(node.clock) = at;
  }
  void rise(std::uint32_t at, const Node node) {
    while (at > 0) {
      const std::uint32_t parent = (at - 1) / 4;
      if (!(node < nodes_[parent])) break;
      put(at, nodes_[parent]);
      at = parent;
    }
    put(at, node);
  }
  void sink(std::uint32_t at, const Node node) {
    const auto size = static_cast<std::uint32_t>(nodes_.size());
    for (std::uint32_t first = 4 * at + 1; first < size; first = 4 * at + 1) {
      const std::uint32_t end = first + 4 < size ? first + 4 : size;
      std::uint32_t least = first;
      for (std::uint32_t i = first + 1; i < end; ++i)
        if (nodes_[i] < nodes_[least]) least = i;
      if (!(nodes_[least] < node)) break;
      put(at, nodes_[least]);
      at = least;
    }
    put(at, node);
  }

  Position position_;
  std::vector<Node> nodes_;
};

}  // namespace orrery::replay
