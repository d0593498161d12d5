/// Overheads that differ from call to call, as those of real machines do: two ranks that do the same never keep in
/// step.
///
///   o_k = o max(0, 1 + v (|z_k| - m) / d)        m = sqrt(2 / pi), d = sqrt(1 - 2 / pi)
///
///   v    1  standard deviation over mean (up to about 0.75 the mean is kept)
///   z_k  1  standard normal, of the rank's k-th overhead: a function of seed, rank and k alone
///
/// Source   half-normal as the compute steps of Cornebize & Legrand, JPDC 166, 2022
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace orrery::engine {

/// Uniform bits of a number (splitmix64, Steele, Lea & Flood, OOPSLA 2014).
inline std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

inline double uniform(std::uint64_t seed, std::uint64_t rank, std::uint64_t number) {
  return (static_cast<double>(mixed(mixed(mixed(seed) + rank) + number) >> 11) + 0.5) * 0x1p-53;
}

inline double varied(double overhead, double variation, std::uint64_t seed, std::uint64_t rank, std::uint64_t number) {
  const double u = uniform(seed, rank, number), v = uniform(~seed, rank, number);
  const double z = std::sqrt(-2.0 * std::log(u)) * std::abs(std::cos(2.0 * std::numbers::pi * v));
  const double mean = std::sqrt(2.0 / std::numbers::pi), deviation = std::sqrt(1.0 - 2.0 / std::numbers::pi);
  return overhead * std::max(0.0, 1.0 + variation * (z - mean) / deviation);
}

}  // namespace orrery::engine
