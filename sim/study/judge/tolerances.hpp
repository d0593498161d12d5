/// Whether a run meets the `tolerance` entries of its scenario (sim/study/read/stated.hpp).
///
///   error of a against b:  mu = max(a, b) / min(a, b)   or   |a - b| / b,   as the bound is stated
///
/// A tolerance is broken if an error exceeds its bound or is no number, if one of its points could not be simulated,
/// and if it applies to nothing - except when --set changed the run, which may leave a tolerance without points.
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

/// Fills `tolerances` and `broken_tolerances` of a result that has its points, published times and averages.
void apply_tolerances(ScenarioResult& result, const Scenario& scenario);

}  // namespace orrery::study
