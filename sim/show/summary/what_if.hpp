/// Which fault of a sweep over `what-if` hurts most: each run beside that of the same settings without a fault; of a run
/// of several jobs each job, as one may be over long before the last ends.
///
/// Checked  tests/unit/study/what_if_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

struct WhatIfRow {
  std::size_t point = 0, base = 0;  ///< of the result's points
  std::string fault, others;        ///< "link=[leaf-0, spine-1] down=true"; the other settings, empty where it has none
  std::string job;                  ///< whose times these are; empty: of the whole run
  Seconds without, with;            ///< makespan, or median repetition of the job among the others
  double slowdown = 1.0;            ///< `with` over `without`; infinite: the run could not finish
};

/// Greatest slowdown first; none without a run that has no fault.
std::vector<WhatIfRow> what_if_rows(const ScenarioResult& result);

/// "12.3 % longer", "no change", "0.5 % shorter", "cannot run".
std::string slowdown_words(double slowdown);

/// What hurts most and how many change nothing, in a sentence; empty without rows.
std::string what_if_sentence(const ScenarioResult& result);

}  // namespace orrery::show
