/// The cheapest barrier of all there are, for a few ranks: every matrix in every stage. The judge of what is
/// constructed.
///
///   2^(p (p - 1) k) patterns of p ranks in k stages; those of which a stage is dearer already are not gone into
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, section 7.1, which thinks of it and does not try
/// Checked  tests/unit/models/barrier/hybrid_test.cpp
#pragma once

#include "models/barrier/pattern_cost.hpp"

namespace orrery {

/// p <= 3 with up to 3 stages, p = 4 with up to 2.
inline constexpr std::uint32_t exhaustive_ranks_max = 4;

struct CheapestPattern {
  StagePattern pattern;
  Seconds cost;
};

CheapestPattern cheapest_pattern(const SignalCosts& costs);

}  // namespace orrery
