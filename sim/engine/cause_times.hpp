/// An interval of history as sums: the total time of each cause, without order.
///
///   time of the interval = sum of its causes' times
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/core/critical_path.hpp"

namespace orrery::engine {

/// Why time passed: the kind; for a computation, its rank and the phase of the rank; for a flow, what limited it.
class Cause {
 public:
  Cause(PathKind kind, std::uint16_t phase, std::uint32_t what)
      : all_(static_cast<std::uint64_t>(kind) << 48 | static_cast<std::uint64_t>(phase) << 32 | what) {}
  PathKind kind() const { return static_cast<PathKind>(all_ >> 48); }
  std::uint16_t phase() const { return static_cast<std::uint16_t>(all_ >> 32); }
  std::uint32_t what() const { return static_cast<std::uint32_t>(all_); }
  auto operator<=>(const Cause&) const = default;

 private:
  std::uint64_t all_;
};

struct CauseTime {
  Cause cause;
  double time;
};

/// Each cause appears once while the list is short, later a few times: equal causes are merged before the list grows.
class CauseTimes {
 public:
  void add(const CauseTime& one) {
    ++segments_;
    if (all_.size() <= exact_max) {
      // Causes come in the same order again and again.
      auto known = all_.begin() + static_cast<std::ptrdiff_t>(next_ < all_.size() ? next_ : 0);
      if (known == all_.end() || known->cause != one.cause)
        known = std::ranges::find(all_, one.cause, &CauseTime::cause);
      next_ = static_cast<std::size_t>(known - all_.begin()) + 1;
      if (known != all_.end()) {
        known->time += one.time;
        return;
      }
    } else if (all_.size() >= room_) {
      join();
    }
    all_.push_back(one);
  }
  void add(const CauseTimes& others) {
    const std::uint64_t segments = segments_ + others.segments_;
    for (const CauseTime& one : others.all_) add(one);
    segments_ = segments;
  }
  /// Keeps the memory of a short list for the next one.
  void clear() {
    if (all_.capacity() > 2 * exact_max) all_ = {};
    all_.clear();
    room_ = 4 * exact_max;
    segments_ = 0;
  }
  std::span<const CauseTime> all() const { return all_; }
  std::uint64_t segments() const { return segments_; }  ///< number of path segments that were added up

 private:
  static constexpr std::size_t exact_max = 24;
  /// Merges equal causes in order of arrival, so that the last digit of a sum is the same on every computer.
  void join() {
    std::ranges::stable_sort(all_, {}, &CauseTime::cause);
    std::size_t kept = 0;
    for (std::size_t i = 1; i < all_.size(); ++i)
      if (all_[i].cause == all_[kept].cause)
        all_[kept].time += all_[i].time;
      else
        all_[++kept] = all_[i];
    all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(kept) + 1, all_.end());
    room_ = std::max(4 * exact_max, 2 * all_.size());
  }

  std::vector<CauseTime> all_;
  std::size_t room_ = 4 * exact_max, next_ = 0;
  std::uint64_t segments_ = 0;
};

}  // namespace orrery::engine
