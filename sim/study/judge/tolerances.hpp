/// Whether a run keeps what its scenario states as `tolerance` (sim/study/read/stated.hpp).
///
///   error of a against b:  mu = max(a, b) / min(a, b)   or   |a - b| / b,   as the bound is stated
///
/// A tolerance is broken where an error is above its bound or no number, where a point it is of could not be simulated,
/// and where it is of nothing at all - unless the run was changed by --set, when it may well be of nothing.
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

/// Fills `tolerances` and `broken_tolerances` of a result whose points, published times and averages are there.
void apply_tolerances(ScenarioResult& result, const Scenario& scenario);

}  // namespace orrery::study
