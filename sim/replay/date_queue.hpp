/// A priority queue of dates that costs the same however many there are: far dates lie unsorted in buckets of equal
/// width, are spread over finer buckets when their turn comes, and only the nearest few are kept in a heap. Memory is
/// touched in sequence; a plain heap of a million dates misses the cache at every level.
///
///   queue.push(date, what);   queue.top();   queue.pop();       // ties in the order they were pushed
///
/// Source   Tang, Goh & Thng, Ladder queue: an O(1) priority queue structure for large-scale discrete event
///          simulation, ACM TOMACS 15(3), 2005
/// Valid    dates that are pushed are not before the last one popped
/// Checked  tests/unit/replay/date_queue_test.cpp, against std::priority_queue
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace orrery::replay {

class DateQueue {
 public:
  struct Entry {
    double date;
    std::uint32_t sequence;  ///< modulo 2^32
    std::uint32_t what;
  };

  bool empty() const { return size_ == 0; }
  /// The earliest entry, of a queue that is not empty.
  const Entry& top() {
    if (near_.empty()) refill();
    return near_.front();
  }
  double next_date() {
    if (empty()) return infinity;
    return top().date;
  }
  std::uint32_t top_what() { return top().what; }

  void push(double date, std::uint32_t what) { insert({date, sequence_++, what}); }

  void pop() {
    if (near_.empty()) refill();
    --size_;
    const Entry last = near_.back();
    near_.pop_back();
    if (!near_.empty()) sink(last);
  }

 private:
  static constexpr std::size_t fan_out = 64;   ///< buckets of a rung
  static constexpr std::size_t near_max = 48;  ///< a bucket of so many entries goes to the heap as it is
  static constexpr std::size_t rungs_max = 12;
  static constexpr std::size_t crowded_at_first = 512;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// Buckets of one width; those before `current` are done, or were spread over the next rung.
  struct Rung {
    double start = 0.0, width = 0.0;
    std::size_t current = 0;
    std::array<std::vector<Entry>, fan_out> buckets;
  };

  static bool before(const Entry& a, const Entry& b) {
    return a.date < b.date || (a.date == b.date && static_cast<std::int32_t>(a.sequence - b.sequence) < 0);
  }

  void insert(const Entry& entry) {
    ++size_;
    if (entry.date >= far_from_) {
      far_min_ = std::min(far_min_, entry.date);
      far_max_ = std::max(far_max_, entry.date);
      return far_.push_back(entry);
    }
    for (std::size_t i = 0; i < depth_; ++i) {
      const std::size_t bucket = bucket_of(rungs_[i], entry.date);
      if (bucket >= rungs_[i].current) return rungs_[i].buckets[bucket].push_back(entry);
    }
    near_.push_back(entry);
    rise(near_.size() - 1, entry);
    if (near_.size() < crowded_) return;  // else many were pushed into a span that was thin when it came near
    crowded_ = depth_ < rungs_max && add_rung_of(near_) ? crowded_at_first : 2 * near_.size();
  }

  static std::size_t bucket_of(const Rung& rung, double date) {
    if (!(date > rung.start)) return 0;
    return std::min(fan_out - 1, static_cast<std::size_t>((date - rung.start) / rung.width));
  }

  void refill() {
    while (near_.empty()) {
      if (depth_ == 0) {
        bring_far_near();
        continue;
      }
      Rung& rung = rungs_[depth_ - 1];
      while (rung.current < fan_out && rung.buckets[rung.current].empty()) ++rung.current;
      if (rung.current == fan_out) {
        if (--depth_ == 0) far_from_ = -infinity;
        continue;
      }
      std::vector<Entry>& bucket = rung.buckets[rung.current++];
      if (bucket.size() <= near_max || depth_ == rungs_max || !add_rung_of(bucket)) take(bucket);
    }
  }

  void bring_far_near() {
    far_from_ = std::nextafter(far_max_, infinity);
    if (far_.size() <= near_max)
      take(far_);
    else
      add_rung(far_, far_min_, far_max_);
    far_min_ = infinity;
    far_max_ = -infinity;
  }

  bool add_rung_of(std::vector<Entry>& entries) {
    const auto [least, greatest] = std::minmax_element(entries.begin(), entries.end(),
                                                       [](const Entry& a, const Entry& b) { return a.date < b.date; });
    if (!(greatest->date - least->date > 1e-12 * greatest->date)) return false;  // nothing left to tell apart
    add_rung(entries, least->date, greatest->date);
    return true;
  }

  /// Spreads the entries over a new finest rung. What is pushed later and lies before `from` goes to the heap.
  void add_rung(std::vector<Entry>& entries, double from, double to) {
    Rung& rung = rungs_[depth_++];
    rung.start = from;
    rung.width = std::max((to - from) / static_cast<double>(fan_out - 1), std::numeric_limits<double>::min());
    rung.current = 0;
    for (const Entry& entry : entries) rung.buckets[bucket_of(rung, entry.date)].push_back(entry);
    entries.clear();
  }

  void take(std::vector<Entry>& bucket) {
    for (const Entry& entry : bucket) {
      near_.push_back(entry);
      rise(near_.size() - 1, entry);
    }
    bucket.clear();
  }

  void rise(std::size_t at, const Entry entry) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (!before(entry, near_[parent])) break;
      near_[at] = near_[parent];
      at = parent;
    }
    near_[at] = entry;
  }
  void sink(const Entry entry) {
    std::size_t at = 0;
    for (std::size_t first = 1; first < near_.size(); first = 4 * at + 1) {
      std::size_t least = first;
      const std::size_t end = std::min(first + 4, near_.size());
      for (std::size_t i = first + 1; i < end; ++i)
        if (before(near_[i], near_[least])) least = i;
      if (!before(near_[least], entry)) break;
      near_[at] = near_[least];
      at = least;
    }
    near_[at] = entry;
  }

  std::vector<Entry> near_;  ///< heap, four children per node: everything before the current buckets
  std::vector<Rung> rungs_ = std::vector<Rung>(rungs_max);  ///< coarsest first, each inside a bucket of the one before
  std::size_t depth_ = 0, size_ = 0;                        ///< rungs in use; entries
  std::size_t crowded_ = crowded_at_first;                  ///< entries of near_ from which spreading is tried
  std::vector<Entry> far_;                                  ///< dates not before far_from_
  double far_from_ = -infinity, far_min_ = infinity, far_max_ = -infinity;
  std::uint32_t sequence_ = 0;
};

}  // namespace orrery::replay
