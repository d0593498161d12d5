/// The members of a resource with many users, by the end of their first flow: a heap with four children per node.
///
/// `notify(flow_class, place)` reports the place of each class, so that the class can be changed or removed later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sim/engine/flow/ids.hpp"

namespace orrery::engine {

class FirstEnds {
 public:
  enum class Slot : std::uint32_t {};
  struct Entry {
    double first_end;
    ClassId flow_class;
  };

  const Entry& first() const { return heap_.front(); }

  template <class Notify>
  void insert(const Entry& entry, const Notify& notify) {
    heap_.emplace_back();
    rise(heap_.size() - 1, entry, notify);
  }
  template <class Notify>
  void change(Slot place, const Entry& entry, const Notify& notify) {
    if (entry.first_end < heap_[index(place)].first_end)
      rise(index(place), entry, notify);
    else
      sink(index(place), entry, notify);
  }
  template <class Notify>
  void remove(Slot place, const Notify& notify) {
    const std::size_t at = index(place);
    const Entry last = heap_.back();
    heap_.pop_back();
    if (at == heap_.size()) return;
    if (at > 0 && last.first_end < heap_[(at - 1) / 4].first_end)
      rise(at, last, notify);
    else
      sink(at, last, notify);
  }
  /// All ends decrease by `bytes`.
  void rebase(double bytes) {
    for (Entry& entry : heap_) entry.first_end -= bytes;
  }

 private:
  template <class Notify>
  void put(std::size_t at, const Entry& entry, const Notify& notify) {
    heap_[at] = entry;
    notify(entry.flow_class, Slot{static_cast<std::uint32_t>(at)});
  }
  template <class Notify>
  void rise(std::size_t at, const Entry entry, const Notify& notify) {
    while (at > 0) {
      const std::size_t parent = (at - 1) / 4;
      if (heap_[parent].first_end <= entry.first_end) break;
      put(at, heap_[parent], notify);
      at = parent;
    }
    put(at, entry, notify);
  }
  template <class Notify>
  void sink(std::size_t at, const Entry entry, const Notify& notify) {
    for (std::size_t child = 4 * at + 1; child < heap_.size(); child = 4 * at + 1) {
      std::size_t least = child;
      for (std::size_t k = child + 1; k < std::min(child + 4, heap_.size()); ++k)
        if (heap_[k].first_end < heap_[least].first_end) least = k;
      if (heap_[least].first_end >= entry.first_end) break;
      put(at, heap_[least], notify);
      at = least;
    }
    put(at, entry, notify);
  }

  std::vector<Entry> heap_;
};

}  // namespace orrery::engine
