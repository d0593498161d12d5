/// The numbers of the event core, as distinct types, and arrays that take no other.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "sim/core/ids.hpp"

namespace orrery::replay {

enum class ClassId : std::uint32_t {};  ///< all flows of one route and one cap
inline constexpr ClassId no_class{0xffffffffu};

/// A resource that some route has used, in order of first use; `ResourceId` numbers all that the machine has.
enum class ResourceIndex : std::uint32_t {};
inline constexpr ResourceIndex no_index{0xffffffffu};

enum class Position : std::uint32_t {};  ///< of a class among the users of a resource
constexpr Position& operator++(Position& position) {
  return position = Position{static_cast<std::uint32_t>(position) + 1};
}

/// A vector whose elements are found by ids of one type.
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
  /// Of an element of this vector.
  Id id_of(const T& element) const { return Id{static_cast<std::uint32_t>(&element - elements_.data())}; }

 private:
  std::vector<T> elements_;
};

}  // namespace orrery::replay
