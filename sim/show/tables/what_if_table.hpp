/// The faults of a sweep over `what-if` as a table for the terminal, those that hurt most first.
#pragma once

#include <cstddef>
#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

/// Empty without two faults to compare.
std::string what_if_table(const ScenarioResult& result, std::size_t width, bool color);

}  // namespace orrery::show
