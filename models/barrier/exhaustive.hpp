/// The cheapest barrier of at most 2 stages for four ranks, of at most 3 for fewer: every matrix in every stage. The
/// judge of what is constructed.
///
///   2^(p (p - 1) k) patterns of p ranks in k stages; those of which a stage is dearer already are not gone into
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, section 7.1, which thinks of it and does not try
/// Checked  tests/unit/models/barrier/hybrid_test.cpp
#pragma once

#include "models/barrier/pattern_cost.hpp"

namespace orrery {

inline constexpr std::uint32_t exhaustive_ranks_max = 4;
/// Of the patterns that are tried.
constexpr std::uint32_t exhaustive_stages_max(std::uint32_t ranks) { return ranks <= 3 ? 3 : 2; }

struct CheapestPattern {
  StagePattern pattern;
  Seconds cost;
};

/// Of at most `exhaustive_stages_max` stages.
CheapestPattern cheapest_pattern(const SignalCosts& costs);

}  // namespace orrery
