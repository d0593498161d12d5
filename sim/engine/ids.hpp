/// The numbers of a run as distinct types, and arrays indexed by only one of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/ids.hpp"

namespace orrery::engine {

enum class MessageId : std::uint32_t {};  ///< of a message in flight; reused after it is received
inline constexpr MessageId no_message{0xffffffffu};

enum class Slot : std::uint32_t {};  ///< of an open request, among those of its rank
inline constexpr Slot no_slot{0xffffffffu};

enum class FlowId : std::uint32_t {};  ///< the player's number of a flow; engines report it

/// A vector indexed by ids of one type.
template <class Id, class T>
class IdVector {
 public:
  T& operator[](Id id) { return elements_[index(id)]; }
  const T& operator[](Id id) const { return elements_[index(id)]; }
  bool has(Id id) const { return index(id) < elements_.size(); }
  std::size_t size() const { return elements_.size(); }
  auto begin() const { return elements_.begin(); }
  auto end() const { return elements_.end(); }

  template <class... Parts>
  Id add(Parts&&... parts) {
    elements_.emplace_back(std::forward<Parts>(parts)...);
    return Id{static_cast<std::uint32_t>(elements_.size() - 1)};
  }
  void resize(std::size_t size, const T& value = {}) { elements_.resize(size, value); }
  void reserve(std::size_t size) { elements_.reserve(size); }
  /// The id of an element of this vector.
  Id id_of(const T& element) const { return Id{static_cast<std::uint32_t>(&element - elements_.data())}; }

 private:
  std::vector<T> elements_;
};

}  // namespace orrery::engine
