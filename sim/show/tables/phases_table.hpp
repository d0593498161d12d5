/// Phases that were measured beside what was simulated of them, as a table for the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

/// A row for each measured phase of each point, and for its whole run. Empty where no more than the compared phase was
/// measured.
std::string phases_table(const ScenarioResult& result, std::size_t width, bool color);

}  // namespace orrery::show
