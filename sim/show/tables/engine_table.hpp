/// How far two engines lie apart (`--engine both`), for the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

/// The largest relative difference over all points and phases in words; empty when one engine played.
std::string engine_sentence(const ScenarioResult& result);

/// Per point and name of a phase the iterations that differ most, absolutely and relatively; then the makespan. Empty
/// when one engine played.
std::string engine_table(const ScenarioResult& result, std::size_t width, bool color);

}  // namespace orrery::show
