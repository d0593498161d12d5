/// Matrices and fields of random numbers that need no memory: the number at a place is a function of the place, so that
/// every rank makes its own part, and a check any other.
///
/// Source   splitmix64: Steele, Lea & Flood, OOPSLA 2014
#pragma once

#include <cstdint>

namespace orrery::programs {

/// Between -0.5 and 0.5, the same at (i, j) everywhere; `stream` tells matrices apart.
inline double number_at(std::uint64_t stream, std::uint64_t i, std::uint64_t j) {
  std::uint64_t x = (stream << 60) ^ (i << 30) ^ j;
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  x ^= x >> 31;
  return static_cast<double>(x >> 11) * 0x1p-53 - 0.5;
}

}  // namespace orrery::programs
