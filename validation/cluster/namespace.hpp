/// A network namespace with one adapter, as the node of an emulated cluster sees the world. Linux; needs root.
#pragma once

#include <cstddef>
#include <string>
#include <utility>

namespace orrery::cluster {

/// Closes what it owns.
class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int number) : number_(number) {}
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor();
  int get() const { return number_; }

 private:
  int number_ = -1;
};

struct NodeNamespace {
  Descriptor space;    ///< of the namespace: it lives as long as this or a process in it
  Descriptor adapter;  ///< a TAP device: frames are read and written here, without blocking
};

/// Makes the namespace of node `number` of `nodes` and comes back to the caller's. Throws ReplayError with the reason.
NodeNamespace make_namespace(std::size_t number, std::size_t nodes);

/// "" when this process may make namespaces and TAP devices, else why it may not.
std::string why_not_permitted();

}  // namespace orrery::cluster
