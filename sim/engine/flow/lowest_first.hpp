/// Resources that wait to be solved, lowest estimated level first; among equal ones the lower number.
///
/// A few are searched linearly, more are kept as a heap. An entry is one integer: the bits of the estimate as a float
/// (for positive floats their order is the order of the numbers) and below them the resource.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/engine/flow/ids.hpp"

namespace orrery::engine {

class LowestFirst {
 public:
  bool empty() const { return entries_.empty(); }

  /// `level` is not negative, and may be infinite.
  void push(double level, ResourceIndex resource) {
    entries_.push_back(Entry{std::bit_cast<std::uint32_t>(static_cast<float>(level))} << 32 | index(resource));
    if (is_heap_)
      std::ranges::push_heap(entries_, std::greater{});
    else if (entries_.size() > looked_through_max)
      std::ranges::make_heap(entries_, std::greater{}), is_heap_ = true;
  }

  ResourceIndex pop() {
    if (is_heap_)
      std::ranges::pop_heap(entries_, std::greater{});
    else
      move_least_to_the_end();
    const ResourceIndex resource{static_cast<std::uint32_t>(entries_.back())};
    entries_.pop_back();
    if (entries_.empty()) is_heap_ = false;
    return resource;
  }

 private:
  using Entry = std::uint64_t;
  static constexpr std::size_t looked_through_max = 16;

  void move_least_to_the_end() {
    Entry least = entries_.back();
    for (std::size_t k = 0; k + 1 < entries_.size(); ++k) {  // no branch depends on a level: no mispredictions
      const Entry other = entries_[k];
      entries_[k] = least < other ? other : least;
      least = least < other ? least : other;
    }
    entries_.back() = least;
  }

  std::vector<Entry> entries_;
  bool is_heap_ = false;
};

}  // namespace orrery::engine
