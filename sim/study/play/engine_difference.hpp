/// How far the runs of one point on two engines lie apart (`--engine both`).
#pragma once

#include "sim/core/scenario_result.hpp"

namespace orrery::study {

/// Phases are matched by name, iteration and occurrence, because their order in a result hangs on ties. Runs that do
/// not have the same phases get a `failure` that names the first one missing.
EngineDifference difference_between(const RunResult& shown, const RunResult& other);

}  // namespace orrery::study
