/// A hash that separates different contents: results in a store, traces, groups. Not cryptographic.
///
///   h <- (h xor value) p   for each value; h starts at the offset, p is the prime of 64 bits
///
/// Source   Fowler, Noll and Vo, FNV-1a
/// Differs  a value may be wider than the byte that FNV-1a takes
#pragma once

#include <cstdint>
#include <string_view>

namespace orrery {

class Fingerprint {
 public:
  constexpr Fingerprint() = default;
  constexpr explicit Fingerprint(std::uint64_t before) : value_(before) {}  ///< continues from the value of another one

  constexpr Fingerprint& add(std::uint64_t value) {
    value_ = (value_ ^ value) * 0x100000001b3ull;
    return *this;
  }
  constexpr Fingerprint& add(std::string_view text) {
    for (const char c : text) add(static_cast<unsigned char>(c));
    return *this;
  }
  constexpr std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325ull;
};

}  // namespace orrery
