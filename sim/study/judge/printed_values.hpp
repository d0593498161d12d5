/// Every published value that has something of ours beside it: metrics, times of phases, averages of mu, choices.
///
/// Each knows the bound that a tolerance puts on it (the narrowest where several do) and the cause of the difference,
/// as the tolerance or else the published entry says it.
///
/// Checked  tests/unit/study/printed_values_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/judge/choices.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

/// After tolerances, averages and choices: `result` holds what is published of each point.
std::vector<PrintedValue> printed_values(const ScenarioResult& result, const Scenario& scenario,
                                         const Choices& choices);

/// Where a published value is held by no tolerance and no 'why' says for what reason, one sentence each.
std::vector<std::string> unheld_published(const Scenario& scenario);

}  // namespace orrery::study
