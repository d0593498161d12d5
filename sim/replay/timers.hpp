/// A heap of dates, ties in the order they were set.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace orrery::replay {

class Timers {
 public:
  struct Timer {
    double date;
    std::uint64_t sequence;
    std::uint32_t token;
    bool operator>(const Timer& other) const {
      return date != other.date ? date > other.date : sequence > other.sequence;
    }
  };
  bool empty() const { return heap_.empty(); }
  double next_date() const { return heap_.front().date; }
  void set(double date, std::uint32_t token) {
    heap_.push_back({date, sequence_++, token});
    std::ranges::push_heap(heap_, std::greater<>{});
  }
  std::uint32_t pop() {
    std::ranges::pop_heap(heap_, std::greater<>{});
    const std::uint32_t token = heap_.back().token;
    heap_.pop_back();
    return token;
  }

 private:
  std::vector<Timer> heap_;
  std::uint64_t sequence_ = 0;
};

}  // namespace orrery::replay
