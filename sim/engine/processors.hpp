/// The processors of one computer that emulates all nodes: a rank with work takes one and keeps it until it waits.
///
///   take     a free processor at once; else the rank queues until one is given up: first come, first served
///   give up  when the rank waits for a message, for a barrier, or has ended
///   forward  the switch's own work on a message: one after another, before any other work, and shorter if the switch
///            is still busy. It takes a free processor, else it interrupts a rank, whose next work takes longer
///
/// So does a system whose time slices are longer than overheads: a rank posts all its messages before another begins.
/// Fluid sharing instead lets all post at the same time, each slowly, and their messages leave in another order.
///
/// Valid    work that is short beside a time slice (milliseconds); longer computation would be shared
/// Checked  tests/replay/ports_test.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "sim/core/ids.hpp"

namespace orrery::engine {

class Processors {
 public:
  Processors(std::uint32_t count, std::uint32_t ranks) : processors_(count), held_by_(ranks, nullptr) {}

  struct Work {
    Rank rank;
    double seconds = 0.0;
  };
  /// Seconds until the work is done on the rank's processor, which it has or takes now; none: it is queued.
  std::optional<double> take(const Work& work, double now) {
    Processor*& mine = held_by_[index(work.rank)];
    if (mine == nullptr) mine = free_one();
    if (mine == nullptr) {
      queue_.push_back(work);
      return {};
    }
    return begin(*mine, work.seconds, now);
  }
  /// The work that begins now on the processor that the rank gives up, if it has one and a rank is queued.
  std::optional<Work> give_up(Rank rank, double now) {
    Processor*& mine = held_by_[index(rank)];
    if (mine == nullptr) return {};
    Processor& left = *mine;
    mine = nullptr;
    left.busy_until = std::max(left.busy_until, now) + left.owed;
    left.owed = 0.0;
    left.held = !queue_.empty();
    if (queue_.empty()) return {};
    Work next = queue_.front();
    queue_.pop_front();
    held_by_[index(next.rank)] = &left;
    next.seconds = begin(left, next.seconds, now);
    return next;
  }
  /// When the switch has done its work on a message that arrived now: `alone`, or `next` if it is busy with another.
  double forward(double now, double alone, double next) {
    const double seconds = switch_free_ > now ? next : alone;
    switch_free_ = std::max(now, switch_free_);
    if (Processor* free = least(false, &Processor::busy_until); free != nullptr)
      free->busy_until = std::max(free->busy_until, switch_free_) + seconds;
    else
      least(true, &Processor::owed)->owed += seconds;
    return switch_free_ += seconds;
  }

 private:
  struct Processor {
    bool held = false;        ///< by a rank
    double owed = 0.0;        ///< s of interruption that its rank has not yet made up for
    double busy_until = 0.0;  ///< date: end of the switch's work
  };
  Processor* least(bool held, double Processor::*parameter) {
    Processor* found = nullptr;
    for (Processor& one : processors_)
      if (one.held == held && (found == nullptr || one.*parameter < found->*parameter)) found = &one;
    return found;
  }
  Processor* free_one() {
    Processor* free = least(false, &Processor::busy_until);
    if (free != nullptr) free->held = true;
    return free;
  }
  static double begin(Processor& on, double seconds, double now) {
    const double longer = on.owed + std::max(0.0, on.busy_until - now);
    on.owed = 0.0;
    return seconds + longer;
  }

  std::vector<Processor> processors_;
  std::vector<Processor*> held_by_;  ///< [ranks]
  std::deque<Work> queue_;
  double switch_free_ = 0.0;
};

}  // namespace orrery::engine
