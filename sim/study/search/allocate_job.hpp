/// What `orrery allocate` does, without the command line: measured or simulated times in, the best configuration out.
///
/// Jobs follow each other: the first one gets the best configuration of the cluster, the next one that of the nodes
/// left.
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
  std::vector<std::string> sizes;  ///< one job each
  std::string model = "np-t";      ///< with its options
  std::string objective = "time";  ///< cost, energy
  std::string within = {};         ///< "10%": the cheapest that is no slower than that beside the fastest
  /// "xeon=0.4" per hour and "xeon=180" W, else what the platform states; "xeon=8" free
  std::vector<std::string> prices = {}, powers = {}, nodes = {};
  std::vector<std::string> ranks = {};  ///< power-of-two, divides (the size), multiple-of=4, at-most=64
  std::string memory = {};              ///< of a whole job, as "0.9GB", divided by its ranks
  int per_core = 2;                     ///< most ranks on a core
  std::string search = "both";          ///< exhaustive, branch-and-bound, both
};

/// For each job a point for each number of ranks, the best of all first: its configuration, the time that the model
/// expects, cost and energy where they are known, and how far it is behind. Notes say what was chosen from and what of it
/// is extrapolated. Throws InputError for what cannot be, DomainError where no configuration is permitted.
ScenarioResult allocate(const AllocateRequest& request);

}  // namespace orrery::study
