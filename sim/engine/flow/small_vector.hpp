/// An array of usually few elements: up to N lie in the object itself, with four bytes for each count, so that the data
/// a resource needs at each event are contiguous.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace orrery::engine {

template <class T, std::uint32_t N>
class SmallVector {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  SmallVector() = default;
  SmallVector(SmallVector&& other) noexcept
      : size_(other.size_), capacity_(other.capacity_), many_(std::exchange(other.many_, other.own_)) {
    std::copy_n(other.own_, N, own_);
    if (capacity_ == N) many_ = own_;
    other.size_ = 0;
    other.capacity_ = N;
  }
  SmallVector& operator=(SmallVector&&) = delete;
  ~SmallVector() {
    if (capacity_ > N) delete[] many_;
  }

  std::uint32_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* begin() { return many_; }
  T* end() { return many_ + size_; }
  const T* begin() const { return many_; }
  const T* end() const { return many_ + size_; }
  T& operator[](std::size_t i) { return many_[i]; }
  const T& operator[](std::size_t i) const { return many_[i]; }
  T& front() { return many_[0]; }
  const T& front() const { return many_[0]; }
  T& back() { return many_[size_ - 1]; }

  void push_back(const T& element) {
    if (size_ == capacity_) grow();
    many_[size_++] = element;
  }
  void pop_back() { --size_; }

 private:
  void grow() {
    T* const more = new T[2 * std::size_t{capacity_}];
    std::copy_n(many_, size_, more);
    if (capacity_ > N) delete[] many_;
    many_ = more;
    capacity_ *= 2;
  }

  std::uint32_t size_ = 0, capacity_ = N;
  T* many_ = own_;
  T own_[N] = {};
};

}  // namespace orrery::engine
