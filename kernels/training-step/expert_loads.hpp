/// The number of tokens of each expert: even, or by a power law of the experts' popularity.
///
///   share of the i-th most popular of E experts   i^-z / sum over j of j^-z,   at most 1 / k
///
///   z  1  skew; 0: all alike      k  1  experts per token, all different: none gets more than every token
///
/// The popularity of each expert is randomized for each layer from a seed; each member of a group holds E / members of
/// them, in order. All members' tokens have the same distribution. Shares are rounded to tokens and keep their sum.
///
/// Source   Zipf's law for the popularity of experts: assumed; that loads are skewed: Fedus, Zoph & Shazeer, JMLR 23,
///          2022, section 2.2, which balances them by a loss
/// Checked  tests/unit/kernels/training-step_test.cpp
#pragma once

#include <cstdint>
#include <vector>

namespace orrery::training {

/// Shares of the experts of one layer, in the order of the experts; their sum is 1.
std::vector<double> expert_shares(std::uint32_t experts, double per_token, double skew, std::uint64_t draw);

class ExpertLoads {
 public:
  ExpertLoads() = default;
  struct Spread {
    double per_token = 1.0, skew = 0.0;
    std::uint64_t seed = 1;
  };
  ExpertLoads(std::uint32_t layers, std::uint32_t experts, std::uint32_t members, std::uint64_t tokens, Spread spread);

  /// Tokens of one member for another; a token counts once for each of its experts.
  std::uint64_t tokens(std::uint32_t layer, std::uint32_t to) const { return tokens_[layer * members_ + to]; }

 private:
  std::uint32_t members_ = 0;
  std::vector<std::uint64_t> tokens_;  ///< [layers x members]
};

}  // namespace orrery::training
