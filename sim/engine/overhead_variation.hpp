/// Overheads that vary from call to call, as on real machines: two ranks with the same steps do not stay synchronous.
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

#include "sim/core/mixed.hpp"
#include "sim/core/portable_math.hpp"

namespace orrery::engine {

inline double uniform(std::uint64_t seed, std::uint64_t rank, std::uint64_t number) {
  return unit_number(mixed(mixed(mixed(seed) + rank) + number));
}

inline double varied(double overhead, double variation, std::uint64_t seed, std::uint64_t rank, std::uint64_t number) {
  const double z = std::abs(portable::normal(uniform(seed, rank, number), uniform(~seed, rank, number)));
  const double mean = std::sqrt(2.0 / std::numbers::pi), deviation = std::sqrt(1.0 - 2.0 / std::numbers::pi);
  return overhead * std::max(0.0, 1.0 + variation * (z - mean) / deviation);
}

}  // namespace orrery::engine
