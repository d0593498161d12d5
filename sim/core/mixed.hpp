/// A pseudo-random number computed from a number: the same on every computer and in every engine.
///
/// Source   splitmix64: Steele, Lea & Flood, Fast splittable pseudorandom number generators, OOPSLA 2014
#pragma once

#include <cstdint>

namespace orrery {

constexpr std::uint64_t mixed(std::uint64_t x) {
  x += 0x9E3779B97F4A7C15ull;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBull;
  return x ^ (x >> 31);
}

/// A mixed number as a value in (0, 1).
constexpr double unit_number(std::uint64_t bits) { return (static_cast<double>(bits >> 11) + 0.5) * 0x1p-53; }

}  // namespace orrery
