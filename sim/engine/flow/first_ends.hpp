/// The members of a crowded resource by the end of their first flow: a heap with four children to a node.
///
/// `told(flow_class, place)` hears where each class lies, so that it can be found to be changed or taken out.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/engine/flow/ids.hpp"

namespace orrery::engine {

class FirstEnds {
 public:
  enum class Place : std::uint32_t {};
  struct Entry {
    double first_end;
    ClassId flow_class;
  };

  const Entry& first() const { return heap_.front(); }

  template <class Told>
  void insert(const Entry& entry, const Told& told) {
    heap_.emplace_back();
    rise(heap_.size() - 1, entry, told);
  }
  template <class Told>
  void change(Place place, const Entry& entry, const Told& told) {
    if (entry.first_end < heap_[index(place)].first_end)
      rise(index(place), entry, told);
    else
      sink(index(place), entry, told);
  }
  template <class Told>
  void remove(Place place, const Told& told) {
    const std::size_t at = index(place);
    const Entry last = heap_.back();
    heap_.pop_back();
    if (at == heap_.size()) return;
    if (at > 0 && last.first_end < heap_[(at - 1) / 4].first_end)
      rise(at, last, told);
    else
      sink(at, last, told);
  }
  /// All ends move down by `bytes`.
  void rebase(double bytes) {
    for (Entry& entry : heap_) entry.first_end -= bytes;
  }

 private:
  template <class Told>
  void put(std::size_t at, const Entry& entry, const Told& told) {
    heap_[at] = entry;
    told(entry.flow_class, Place{static_cast<std::uint32_t>(at)});
  }
  template <class Told>
  void rise(std::size_t at, const Entry entry, const Told& told) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (heap_[parent].first_end <= entry.first_end) break;
      put(at, heap_[parent], told);
      at = parent;
    }
    put(at, entry, told);
  }
  template <class Told>
  void sink(std::size_t at, const Entry entry, const Told& told) {
    for (std::size_t child = 4 * at + 1; child < heap_.size(); child = 4 * at + 1) {
      std::size_t least = child;
      for (std::size_t k = child + 1; k < std::min(child + 4, heap_.size()); ++k)
        if (heap_[k].first_end < heap_[least].first_end) least = k;
      if (heap_[least].first_end >= entry.first_end) break;
      put(at, heap_[least], told);
      at = least;
    }
    put(at, entry, told);
  }

  std::vector<Entry> heap_;
};

}  // namespace orrery::engine
