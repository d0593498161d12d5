/// The worst fault of a sweep over `what-if`: each run is compared with the run of the same settings without a fault.
/// In a run of several jobs, each job is compared, because one may end long before the last.
///
/// Checked  tests/unit/study/what_if_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

struct WhatIfRow {
  std::size_t point = 0, base = 0;  ///< of the result's points
  std::string fault, others;        ///< "link=[leaf-0, spine-1] down=true"; the other settings, empty if there are none
  std::string job;                  ///< the job of these times; empty: the whole run
  Seconds without, with;            ///< makespan, or median repetition of the job among the others
  double slowdown = 1.0;            ///< `with` over `without`; infinite: the run could not finish
};

/// Largest slowdown first; empty if no run is without a fault.
std::vector<WhatIfRow> what_if_rows(const ScenarioResult& result);

/// "12.3 % longer", "no change", "0.5 % shorter", "cannot run".
std::string slowdown_words(double slowdown);

/// The worst fault and the number of faults without effect, in a sentence; empty without rows.
std::string what_if_sentence(const ScenarioResult& result);

}  // namespace orrery::show
