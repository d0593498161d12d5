/// A barrier designed for a platform: the cheapest algorithm for each cluster of ranks, combined level by level.
///
///   1  each cluster takes the candidate of least cost among its members, or among the pivots of its parts
///   2  clusters of one level go on at the same time
///   3  arrivals of a level come before those of the level above, up to all ranks
///   4  the arrivals transposed, last first, are the departures; dissemination at the top needs none of its own
///
///   bcast      the departures alone, about the first member of the cluster
///   reduce     a bcast backwards, and costed so: equation 5.4 charges senders alone, and a reduce waits for receivers
///   allreduce  both, without dissemination except among a power of two at the top, as it counts a rank twice elsewhere
///
///   candidates   linear, trees of some degrees, dissemination
///   cost         equation 5.4 (pattern_cost.hpp); below the top of arrivals and departures, as they will be played:
///                with a stage between them, in which the level above is at work
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, section 7.3, figures 7.2 and 7.3
/// Differs  the thesis compares whole barriers of a cluster, also where dissemination will be played twice, and knows
///          trees of degree 2 only; here a plain barrier of all ranks is kept where it costs less than the combination
/// Checked  tests/unit/models/barrier/hybrid_test.cpp
#pragma once

#include <string>
#include <vector>

#include "models/barrier/clusters.hpp"
#include "sim/core/pattern_knowledge.hpp"

namespace orrery {

/// The algorithm of a cluster.
struct HybridPart {
  std::uint32_t level = 0;             ///< 0: the ranks themselves; higher: pivots of the level below
  std::vector<std::uint32_t> members;  ///< the first represents them at the level above
  std::string algorithm;               ///< "linear", "tree of degree 3", "dissemination"
  Seconds cost;                        ///< among its members
};

struct Hybrid {
  StagePattern pattern;
  std::vector<HybridPart> parts;  ///< by level, then first member; those of two members or more
  Seconds cost;                   ///< of the whole
};

/// The cost of a pattern for its goal.
PatternCost pattern_cost_of(PatternGoal goal, const StagePattern& pattern, const SignalCosts& costs);

Hybrid hybrid_barrier(const Cluster& all, const SignalCosts& costs, PatternGoal goal = PatternGoal::barrier,
                      const std::vector<std::uint32_t>& degrees = {2, 3, 4});

}  // namespace orrery
