/// The cost of a pattern of signals: a cost per rank and stage, and the most expensive path through the stages.
///
///   cost(s, i) = sum_j (L_ij + L_ji) S_s(i, j)  +  max_j O_ij S_s(i, j)                        (5.4)
///
///   1. the least cost is O_ii, which a rank that signals nobody pays as well
///   2. where j is known to wait for i's signal, O_ij is O_jj: the last thing j did was to signal i, and at least one
///      stage has passed since in which j did nothing
///
///   path   a rank's cost, then that of the rank it signals or its own in the next stage; the greatest sum of all paths
///
///   O_ii   Seconds  s  of starting the requests of a stage, without any      O_ij  Seconds  s  of one more signal to j
///   L_ij   Seconds  s  latency of a signal from i to j: what is left of the time of a message of 0 B
///
/// Source   Meyer, doctoral thesis, NTNU, 2012, sections 5.6.2 to 5.6.5, equation 5.4, figure 6.2
/// Valid    signals of negligible length; nothing else on the way
/// Differs  2 L_ij of the source (signal and acknowledgement over a symmetric link) is written L_ij + L_ji, the same
///          where L is symmetric; without acknowledgements L_ij alone. The source traces every path by recursion, here
///          one sweep over the stages finds the same maximum: each signal is looked at once
/// Checked  tests/unit/models/barrier/pattern_cost_test.cpp (against the recursion)
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/core/stage_pattern.hpp"
#include "sim/core/units.hpp"

namespace orrery {

/// O_ii, O_ij and L_ij between the ranks of a run. Functions, because matrices of 100,000 ranks do not fit in memory.
struct SignalCosts {
  std::uint32_t ranks = 0;
  std::function<Seconds(std::uint32_t i)> invocation;                 ///< O_ii
  std::function<Seconds(std::uint32_t i, std::uint32_t j)> overhead;  ///< O_ij, i != j
  std::function<Seconds(std::uint32_t i, std::uint32_t j)> latency;   ///< L_ij, i != j
  bool acknowledged = true;                                           ///< a signal also costs its acknowledgement
  /// Ranks with the same place have equal costs to and from all others, and to each other. Empty: not known.
  std::function<std::uint32_t(std::uint32_t i)> place = {};
  /// The file and row of L_ij, for messages. Empty: no file.
  std::function<std::string(std::uint32_t i, std::uint32_t j)> where = {};
};

/// L_ij + L_ji, or L_ij without acknowledgements.
Seconds latency_term(const SignalCosts& costs, std::uint32_t i, std::uint32_t j);

/// Two ranks, one signal, no rank known to wait: the distance used for clusters.
Seconds signal_cost(const SignalCosts& costs, std::uint32_t i, std::uint32_t j);

/// One rank in one stage of the most expensive path.
struct PathStage {
  std::uint32_t rank = 0;
  Seconds cost;
};

struct PatternCost {
  Seconds total;
  std::vector<PathStage> path;  ///< [stages]
};

PatternCost pattern_cost(const StagePattern& pattern, const SignalCosts& costs);

/// The costs among some of the ranks: its rank i is members[i].
SignalCosts restricted(const SignalCosts& costs, const std::vector<std::uint32_t>& members);

}  // namespace orrery
