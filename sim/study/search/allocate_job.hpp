/// The work of `orrery allocate` without the command line: from measured or simulated times to the best configuration.
///
/// Jobs are allocated in order: the first one gets the best configuration of the cluster, the next one that of the
/// remaining nodes.
///
/// Source   Ichikawa, Takahashi & Kawai, figure 1 and section 8
/// Checked  tests/unit/study/allocate_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::study {

struct AllocateRequest {
  std::string platform, times, kernel;
  std::vector<std::string> sizes;  ///< one job per size
  std::string model = "np-t";      ///< with its options
  std::string objective = "time";  ///< cost, energy
  std::string within = {};         ///< "10%": the cheapest that is at most this much slower than the fastest
  /// "xeon=0.4" per hour and "xeon=180" W, else the platform's values; "xeon=8" free nodes
  std::vector<std::string> prices = {}, powers = {}, nodes = {};
  std::vector<std::string> ranks = {};  ///< power-of-two, divides (the size), multiple-of=4, at-most=64
  std::string memory = {};              ///< of a whole job, as "0.9GB", divided by its ranks
  int per_core = 2;                     ///< maximum ranks per core
  std::string search = "both";          ///< exhaustive, branch-and-bound, both
};

/// For each job a point per number of ranks, the best of all first: its configuration, the time expected by the model,
/// cost and energy if known, and its distance from the best. Notes list the choices and what is extrapolated. Throws
/// InputError for invalid requests, DomainError if no configuration is permitted.
ScenarioResult allocate(const AllocateRequest& request);

}  // namespace orrery::study
