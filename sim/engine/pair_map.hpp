/// A map from pairs of numbers to values in one flat table: open addressing. 2^32 - 1 is not a valid number.
///
///   auto [value, fresh] = map.find_or_add(a, b);   // if `fresh`, `value` is default; valid until the next addition
///   map.keep_if([](Value& value) { return ...; });  // removes all others
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/fetch.hpp"

namespace orrery::engine {

template <class Value>
class PairMap {
 public:
  std::pair<Value&, bool> find_or_add(std::uint32_t a, std::uint32_t b) {
    if (4 * (used_ + 1) > 3 * slots_.size()) grow();
    Slot& slot = find(a, b);
    if (slot.a == a) return {slot.value, false};
    slot = {a, b, {}};
    ++used_;
    return {slot.value, true};
  }
  std::size_t size() const { return used_; }
  /// `keep` is called once for each value, and may change it.
  template <class Keep>
  void keep_if(Keep keep) {
    std::vector<Slot> old(slots_.size());
    std::swap(old, slots_);
    used_ = 0;
    for (Slot& slot : old)
      if (slot.a != no_number && keep(slot.value)) {
        find(slot.a, slot.b) = slot;
        ++used_;
      }
  }
  /// Prefetches: the pair will soon be requested.
  void fetch_pair(std::uint32_t a, std::uint32_t b) const {
    if (!slots_.empty()) fetch(&slots_[home(a, b)]);
  }

 private:
  static constexpr std::uint32_t no_number = 0xffffffffu;
  struct Slot {
    std::uint32_t a = no_number, b = no_number;
    Value value;
  };
  std::size_t home(std::uint32_t a, std::uint32_t b) const {
    return static_cast<std::size_t>((((std::uint64_t{a} << 32) | b) * 0x9E3779B97F4A7C15ull) >> shift_);
  }
  Slot& find(std::uint32_t a, std::uint32_t b) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = home(a, b);
    while (slots_[at].a != no_number && (slots_[at].a != a || slots_[at].b != b)) at = (at + 1) & mask;
    return slots_[at];
  }
  void grow() {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : 2 * slots_.size()));
    shift_ = 64;
    for (std::size_t size = slots_.size(); size > 1; size /= 2) --shift_;
    for (const Slot& slot : old)
      if (slot.a != no_number) find(slot.a, slot.b) = slot;
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  unsigned shift_ = 64;
};

}  // namespace orrery::engine
