/// The difference between the runs of one point on two engines (`--engine both`).
#pragma once

#include "sim/core/scenario_result.hpp"

namespace orrery::study {

/// Phases are matched by name, iteration and occurrence, because their order in a result depends on ties. Runs with
/// different phases get a `failure` that names the first missing one.
EngineDifference difference_between(const RunResult& shown, const RunResult& other);

}  // namespace orrery::study
