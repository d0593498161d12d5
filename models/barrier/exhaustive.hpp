/// The cheapest barrier of at most 2 stages for four ranks, of at most 3 for fewer: tries every matrix in every stage.
/// The reference for constructed barriers.
///
///   2^(p (p - 1) k) patterns of p ranks in k stages; a pattern is dropped when its first stages already cost more
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, section 7.1, which thinks of it and does not try
/// Checked  tests/unit/models/barrier/hybrid_test.cpp
#pragma once

#include "models/barrier/pattern_cost.hpp"

namespace orrery {

inline constexpr std::uint32_t exhaustive_ranks_max = 4;
/// Maximum stages of the patterns tried.
constexpr std::uint32_t exhaustive_stages_max(std::uint32_t ranks) { return ranks <= 3 ? 3 : 2; }

struct CheapestPattern {
  StagePattern pattern;
  Seconds cost;
};

/// With at most `exhaustive_stages_max` stages.
CheapestPattern cheapest_pattern(const SignalCosts& costs);

}  // namespace orrery
