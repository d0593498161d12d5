/// From pairs of numbers to a number, in one flat table: open addressing, no erasing.
///
///   auto [value, fresh] = map.find_or_add(a, b, next);   // `value` is what is stored, `next` if it was not there
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace orrery::replay {

class PairMap {
 public:
  std::pair<std::uint32_t, bool> find_or_add(std::uint32_t a, std::uint32_t b, std::uint32_t value) {
    if (4 * (used_ + 1) > 3 * slots_.size()) grow();
    Slot& slot = find((std::uint64_t{a} << 32) | b);
    if (slot.value != none) return {slot.value, false};
    slot = {(std::uint64_t{a} << 32) | b, value};
    ++used_;
    return {value, true};
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t value = none;
  };
  Slot& find(std::uint64_t key) {
    const std::size_t mask = slots_.size() - 1;
    std::size_t at = static_cast<std::size_t>((key * 0x9E3779B97F4A7C15ull) >> shift_);
    while (slots_[at].value != none && slots_[at].key != key) at = (at + 1) & mask;
    return slots_[at];
  }
  void grow() {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.empty() ? 64 : 2 * slots_.size()));
    shift_ = 64;
    for (std::size_t size = slots_.size(); size > 1; size /= 2) --shift_;
    for (const Slot& slot : old)
      if (slot.value != none) find(slot.key) = slot;
  }

  std::vector<Slot> slots_;
  std::size_t used_ = 0;
  unsigned shift_ = 64;
};

}  // namespace orrery::replay
