/// The median of repeated measurements and how sure it is.
///
/// low, high   the order statistics between which the median lies with at least 95 % (binomial; no distribution is
///             assumed); the least and greatest value where fewer than six were measured
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace orrery::mpi {

struct Median {
  double value = 0.0, low = 0.0, high = 0.0;
};

/// Of at least one value.
inline Median median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  // The greatest k so that fewer than k of n fair coins are heads with at most 2.5 %.
  std::size_t k = 0;
  for (double p = std::pow(0.5, static_cast<double>(n)), below = p; below <= 0.025 && k + 1 < n; ++k) {
    p *= static_cast<double>(n - k) / static_cast<double>(k + 1);
    below += p;
  }
  const std::size_t low = k > 0 ? k - 1 : 0;
  return {n % 2 == 1 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]), values[low], values[n - 1 - low]};
}

}  // namespace orrery::mpi
