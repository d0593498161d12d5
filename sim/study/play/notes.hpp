/// Notes on the numbers of a run: where they may be wrong, and what was not examined.
#pragma once

#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/play/point_player.hpp"
#include "sim/study/play/run_scenario.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

/// Adds to the result's notes, once its points are collected; `first` is the first of them.
void add_notes(ScenarioResult& result, const Scenario& scenario, const LoadedPoint& first,
               const std::vector<SurveyedPoint>& survey, const RunOptions& options);

}  // namespace orrery::study
