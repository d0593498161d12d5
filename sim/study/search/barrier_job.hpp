/// The results of `orrery barrier`: every barrier algorithm for some ranks, whether it synchronises, its cost and time,
/// and the one designed for the platform.
///
///   costs      O_ii, O_ij, L_ij measured on an engine, or from a parameter file of model 'barrier-matrix'
///   simulated  four barriers back to back, a fourth of their time; one bcast or reduce
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/barrier/hybrid.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/core/stage_pattern.hpp"
#include "sim/study/read/flag_text.hpp"

namespace orrery::study {

struct BarrierRequest {
  std::string platform;  ///< empty: only proofs, without costs
  std::string network, matrices, pattern, engine = "flow", acknowledgement = "counted", goal = "barrier";
  std::string members;  ///< ranks of the layout that are the communicator, "0,2,5-7"; empty: all
  LayoutFlags layout;
  double sparseness = ClusterRule{}.sparseness;
  int root = 0;
  bool simulate = false;
};

/// Ranks below `ranks` from a list "0,2,5-7", in its order. Throws InputError that begins with "--members".
std::vector<std::uint32_t> members_listed(std::string_view text, std::uint32_t ranks);

/// The values of --goal.
std::vector<std::string> pattern_goals();

struct BarrierAnswer {
  /// A point for each: cost as the prediction of 'barrier-matrix'; stages, signals and whether it reaches the goal (1
  /// or 0) as metrics; a counterexample is its failure.
  ScenarioResult result;
  std::vector<StagePattern> patterns;                ///< [points]
  std::vector<std::vector<std::uint32_t>> clusters;  ///< ranks of each innermost cluster; empty without a platform
  std::optional<std::size_t> chosen = {};            ///< the point to save: the given pattern, else the hybrid
};

/// "0-11", "0-56 by 8", "0, 3, 5-7".
std::string ranks_text(const std::vector<std::uint32_t>& ranks);

/// Throws InputError for invalid requests, DomainError and ReplayError from models and engines.
BarrierAnswer find_barriers(const BarrierRequest& request);

}  // namespace orrery::study
