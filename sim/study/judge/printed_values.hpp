/// Every published value with a value of ours to compare: metrics, times of phases, averages of mu, choices.
///
/// Each has the bound of its tolerance (the narrowest of several) and the cause of the difference, as given in the
/// tolerance or else in the published entry.
///
/// Checked  tests/unit/study/printed_values_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/judge/choices.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

/// Call after tolerances, averages and choices: `result` then has the published values of each point.
std::vector<PrintedValue> printed_values(const ScenarioResult& result, const Scenario& scenario,
                                         const Choices& choices);

/// Published values without a tolerance and without a 'why', one sentence each.
std::vector<std::string> unheld_published(const Scenario& scenario);

}  // namespace orrery::study
