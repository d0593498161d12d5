/// What `orrery barrier` finds out: every barrier there is for some ranks, whether it synchronises, what it costs and
/// takes, and the one made for the platform.
///
///   costs      O_ii, O_ij, L_ij measured on an engine, or from a parameter file of model 'barrier-matrix'
///   simulated  four barriers back to back, a fourth of their time; one bcast or reduce
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "models/barrier/hybrid.hpp"
#include "sim/core/pattern_knowledge.hpp"
#include "sim/study/read/flag_text.hpp"

namespace orrery::study {

struct BarrierRequest {
  std::string platform;  ///< empty: proofs alone, without costs
  std::string network, matrices, pattern, engine = "flow", acknowledgement = "counted", goal = "barrier";
  std::string members;  ///< ranks of the layout that are the communicator, "0,2,5-7"; empty: all
  LayoutFlags layout;
  double sparseness = ClusterRule{}.sparseness;
  int root = 0;
  bool simulate = false;
};

/// Ranks below `ranks` as "0,2,5-7" lists them, in that order. Throws InputError opened by "--members".
std::vector<std::uint32_t> members_listed(std::string_view text, std::uint32_t ranks);

/// The words of --goal.
std::vector<std::string> pattern_goals();

struct BarrierRow {
  std::string name;
  StagePattern pattern;
  std::optional<Ignorance> refuted = {};
  std::optional<Ignorance> counts_twice = {};  ///< of an allreduce
  std::optional<Seconds> cost = {}, simulated = {};
};

struct BarrierAnswer {
  std::string title;
  std::uint32_t ranks = 0;
  std::string goal;
  std::vector<BarrierRow> rows;
  std::optional<Cluster> clusters;  ///< none without a platform
  std::optional<Hybrid> hybrid;
  std::vector<std::string> notes;

  std::optional<std::size_t> chosen = {};  ///< the row to save: the given pattern, else the hybrid
};

/// Throws InputError for what cannot be asked, DomainError and ReplayError as models and engines do.
BarrierAnswer find_barriers(const BarrierRequest& request);

}  // namespace orrery::study
