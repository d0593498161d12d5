/// Models of whole runs fitted to the runs as they were played, or to other times of the same runs.
#pragma once

#include <optional>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/judge/choices.hpp"
#include "sim/study/play/run_models.hpp"

namespace orrery::study {

/// [points] what the runs took; nothing of those that failed.
std::vector<std::optional<RunTimes>> run_times(const ScenarioResult& result);

/// Fits the models of runs to other makespans; models of phases say what they said. All that is given outlives the
/// function returned.
Refit refit_of(const ScenarioResult& result, const Scenario& scenario, const RunModels& run_models);

}  // namespace orrery::study
