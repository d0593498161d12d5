/// A priority queue of dates whose cost does not depend on their number. Far dates lie unsorted in buckets of equal
/// width and are spread over finer buckets when their turn comes; only the nearest few are sorted. Memory is accessed
/// in sequence; a plain heap of a million dates misses the cache at every level. Upcoming entries can be seen in
/// advance.
///
///   queue.push(date, what);   queue.top();   queue.pop();   // ties in the order they were pushed
///   queue.ahead(5);                                          // the entry five later, by present contents
///
/// Source   Tang, Goh & Thng, Ladder queue: an O(1) priority queue structure for large-scale discrete event
///          simulation, ACM TOMACS 15(3), 2005
/// Valid    dates that are pushed are not before the last one popped
/// Checked  tests/unit/engine/date_queue_test.cpp, against std::priority_queue
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace orrery::engine {

class DateQueue {
 public:
  struct Entry {
    double date;
    std::uint32_t sequence;  ///< modulo 2^32
    std::uint32_t what;
  };

  bool empty() const { return size_ == 0; }
  /// Number of entries near the front that memory is allocated for.
  std::size_t capacity() const { return near_.capacity(); }
  /// The earliest entry; the queue must not be empty.
  const Entry& top() {
    if (first_ == near_.size()) refill();
    return near_[first_];
  }
  double next_date() {
    if (empty()) return infinity;
    return top().date;
  }
  std::uint32_t top_what() { return top().what; }
  /// The entry that comes `distance` after the earliest by present contents, or null: for prefetching.
  const Entry* ahead(std::size_t distance) const {
    return first_ + distance < near_.size() ? &near_[first_ + distance] : nullptr;
  }

  void push(double date, std::uint32_t what) { insert({date, sequence_++, what}); }

  void pop() {
    if (first_ == near_.size()) refill();
    --size_;
    ++first_;
    if (first_ > near_max && first_ > near_.size() - first_) drop_popped();
    if (near_.size() - first_ < seen_ahead && size_ > near_.size() - first_) refill();
  }

 private:
  static constexpr std::size_t fan_out = 64;     ///< most buckets of a rung
  static constexpr std::size_t per_bucket = 16;  ///< entries per bucket, if this needs fewer buckets
  static constexpr std::size_t near_max = 48;    ///< a bucket with up to this many entries is sorted directly
  static constexpr std::size_t seen_ahead = 24;  ///< entries kept near, so that `ahead` can see them
  static constexpr std::size_t rungs_max = 12;
  static constexpr std::size_t crowded_at_first = 512;
  static constexpr double infinity = std::numeric_limits<double>::infinity();

  /// Buckets of equal width; those before `current` are finished, or were spread over the next rung.
  struct Rung {
    double start = 0.0, per_second = 0.0;
    std::size_t current = 0, used = 0;
    std::array<std::vector<Entry>, fan_out> buckets;
  };

  static constexpr auto before = [](const Entry& a, const Entry& b) {
    return a.date < b.date || (a.date == b.date && static_cast<std::int32_t>(a.sequence - b.sequence) < 0);
  };

  void insert(const Entry& entry) {
    ++size_;
    if (first_ < near_.size() && entry.date < near_.back().date) return add_near(entry);  // most often
    if (entry.date >= far_from_) {
      far_min_ = std::min(far_min_, entry.date);
      far_max_ = std::max(far_max_, entry.date);
      return far_.push_back(entry);
    }
    for (std::size_t i = 0; i < depth_; ++i) {
      const std::size_t bucket = bucket_of(rungs_[i], entry.date);
      if (bucket >= rungs_[i].current) return rungs_[i].buckets[bucket].push_back(entry);
    }
    add_near(entry);
  }

  void add_near(const Entry& entry) {
    insert_near(entry);
    if (near_.size() - first_ < crowded_) return;  // else many were pushed into a span that had few when it came near
    drop_popped();
    crowded_ = depth_ < rungs_max && add_rung_of(near_) ? crowded_at_first : 2 * near_.size();
  }

  /// The position of the last entry pushed: after those of the same date. A binary search without branches on dates.
  std::size_t place_of(double date) const {
    std::size_t at = first_, length = near_.size() - first_;
    while (length > 1) {
      const std::size_t half = length / 2;
      at += half * static_cast<std::size_t>(near_[at + half - 1].date <= date);
      length -= half;
    }
    return length == 1 && near_[at].date <= date ? at + 1 : at;
  }

  /// Moves the shorter side, after opening a gap before a long one.
  void insert_near(const Entry& entry) {
    auto at = near_.begin() + offset(place_of(entry.date));
    if (near_.end() - at <= at - near_.begin() - offset(first_) || near_.size() <= near_max) {
      near_.insert(at, entry);
      return;
    }
    if (first_ == 0) {
      const std::ptrdiff_t position = at - near_.begin();
      first_ = near_.size() / 4;
      near_.insert(near_.begin(), first_, Entry{});
      at = near_.begin() + offset(first_) + position;
    }
    std::move(near_.begin() + offset(first_), at, near_.begin() + offset(first_) - 1);
    *(at - 1) = entry;
    --first_;
  }
  static std::ptrdiff_t offset(std::size_t i) { return static_cast<std::ptrdiff_t>(i); }

  static std::size_t bucket_of(const Rung& rung, double date) {
    if (!(date > rung.start)) return 0;
    return static_cast<std::size_t>(
        std::min((date - rung.start) * rung.per_second, static_cast<double>(rung.used - 1)));
  }

  void refill() {
    drop_popped();
    while (near_.size() < seen_ahead && near_.size() < size_) {
      if (depth_ == 0) {
        bring_far_near();
        continue;
      }
      Rung& rung = rungs_[depth_ - 1];
      while (rung.current < rung.used && rung.buckets[rung.current].empty()) ++rung.current;
      if (rung.current == rung.used) {
        if (--depth_ == 0) far_from_ = -infinity;
        continue;
      }
      std::vector<Entry>& bucket = rung.buckets[rung.current++];
      if (bucket.size() <= near_max || depth_ == rungs_max || !add_rung_of(bucket)) take(bucket);
    }
  }

  void drop_popped() { near_.erase(near_.begin(), near_.begin() + offset(std::exchange(first_, 0))); }

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
    if (!(greatest->date - least->date > 1e-12 * greatest->date)) return false;  // all dates are equal
    add_rung(entries, least->date, greatest->date);
    return true;
  }

  /// Spreads the entries over a new finest rung. Entries pushed later with a date before `from` are near.
  void add_rung(std::vector<Entry>& entries, double from, double to) {
    Rung& rung = rungs_[depth_++];
    rung.start = from;
    rung.current = 0;
    rung.used = std::clamp<std::size_t>(entries.size() / per_bucket, 2, fan_out);
    rung.per_second = static_cast<double>(rung.used) / std::max(to - from, std::numeric_limits<double>::min());
    for (const Entry& entry : entries) rung.buckets[bucket_of(rung, entry.date)].push_back(entry);
    entries.clear();
  }

  /// A few entries are sorted directly.
  void take(std::vector<Entry>& bucket) {
    const auto begin = static_cast<std::ptrdiff_t>(near_.size());
    near_.insert(near_.end(), bucket.begin(), bucket.end());
    bucket.clear();
    if (near_.size() - static_cast<std::size_t>(begin) > near_max) {  // of one date: mostly as they were pushed
      if (!std::is_sorted(near_.begin() + begin, near_.end(), before))
        std::sort(near_.begin() + begin, near_.end(), before);
      return;
    }
    Entry* const first = near_.data() + begin;
    for (Entry* at = first; at < near_.data() + near_.size(); ++at) {
      const Entry entry = *at;
      Entry* to = at;
      for (; to > first && before(entry, to[-1]); --to) *to = to[-1];
      *to = entry;
    }
  }

  std::vector<Entry> near_;  ///< sorted from first_ on: everything before the current buckets
  std::size_t first_ = 0;
  std::vector<Rung> rungs_ = std::vector<Rung>(rungs_max);  ///< coarsest first; each divides a bucket of the one before
  std::size_t depth_ = 0, size_ = 0;                        ///< rungs in use; entries
  std::size_t crowded_ = crowded_at_first;                  ///< entries of near_ from which spreading is tried
  std::vector<Entry> far_;                                  ///< dates not before far_from_
  double far_from_ = -infinity, far_min_ = infinity, far_max_ = -infinity;
  std::uint32_t sequence_ = 0;
};

}  // namespace orrery::engine
