#include "kernels/training-step/expert_loads.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/core/mixed.hpp"
#include "sim/core/portable_math.hpp"

namespace orrery::training {

namespace {

/// Popularities as shares of at most `limit`: what is above it goes to the others in proportion.
std::vector<double> limited(std::vector<double> popularity, double limit) {
  double left = 1.0;  // descending, so those at the limit come first
  double sum = std::accumulate(popularity.begin(), popularity.end(), 0.0);
  for (double& share : popularity) {
    const double own = share;
    share = std::min(limit, left * own / sum);
    left -= share;
    sum -= own;
  }
  return popularity;
}

}  // namespace

std::vector<double> expert_shares(std::uint32_t experts, double per_token, double skew, std::uint64_t draw) {
  if (skew <= 0.0) return std::vector<double>(experts, 1.0 / experts);
  std::vector<double> popularity(experts);
  for (std::uint32_t i = 0; i < experts; ++i) popularity[i] = portable::pow(i + 1.0, -skew);
  popularity = limited(std::move(popularity), 1.0 / per_token);
  for (std::uint32_t i = experts; i > 1; --i)  // Fisher and Yates
    std::swap(popularity[i - 1], popularity[mixed(draw + i) % i]);
  return popularity;
}

ExpertLoads::ExpertLoads(std::uint32_t layers, std::uint32_t experts, std::uint32_t members, std::uint64_t tokens,
                         Spread spread)
    : members_(members) {
  const std::uint32_t of_member = experts / members;
  for (std::uint32_t layer = 0; layer < layers; ++layer) {
    const auto shares = expert_shares(experts, spread.per_token, spread.skew, mixed(spread.seed) ^ mixed(layer));
    double sum = 0.0;
    std::uint64_t before = 0;
    for (std::uint32_t member = 0; member < members; ++member) {
      for (std::uint32_t e = 0; e < of_member; ++e) sum += shares[member * of_member + e];
      const double up_to = std::min(1.0, sum) * static_cast<double>(tokens) * spread.per_token;
      const auto rounded =
          member + 1 == members
              ? static_cast<std::uint64_t>(std::llround(static_cast<double>(tokens) * spread.per_token))
              : static_cast<std::uint64_t>(std::llround(up_to));
      tokens_.push_back(rounded - before);
      before = rounded;
    }
  }
}

}  // namespace orrery::training
