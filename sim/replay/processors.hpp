/// The processors of one machine that emulates all nodes: whoever has work takes one and keeps it until it waits.
///
///   take     a free processor at once, else the rank queues and begins when one is given up: first come, first served
///   give up  when the rank waits for a message, for a barrier, or has ended
///
/// That is what a system does whose time slices are longer than overheads: a rank posts all its messages before another
/// begins to. Fluid sharing instead lets all post at once, each slowly, and their messages leave in another order.
///
/// Valid    work that is short beside a time slice (milliseconds); longer computation would be shared
/// Checked  tests/replay/ports_test.cpp
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "sim/core/ids.hpp"

namespace orrery::replay {

class Processors {
 public:
  Processors(std::uint32_t count, std::uint32_t ranks) : free_(count), holds_(ranks, false) {}

  struct Work {
    Rank rank;
    double seconds = 0.0;
  };
  /// True when the rank has a processor, from before or now; else its work is queued.
  bool take(const Work& work) {
    if (holds_[index(work.rank)]) return true;
    if (free_ == 0) {
      queue_.push_back(work);
      return false;
    }
    --free_;
    holds_[index(work.rank)] = true;
    return true;
  }
  /// The work that begins now on the processor that the rank gives up, if it has one and anybody queues.
  std::optional<Work> give_up(Rank rank) {
    if (!holds_[index(rank)]) return {};
    holds_[index(rank)] = false;
    if (queue_.empty()) {
      ++free_;
      return {};
    }
    const Work next = queue_.front();
    queue_.pop_front();
    holds_[index(next.rank)] = true;
    return next;
  }

 private:
  std::uint32_t free_;
  std::vector<bool> holds_;  ///< [ranks]
  std::deque<Work> queue_;
};

}  // namespace orrery::replay
