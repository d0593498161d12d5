/// The jobs of each point: how long one takes alone, how long beside the others, and which link holds it back.
#pragma once

#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

/// Empty where every point is of one program.
std::string jobs_table(const ScenarioResult& result, std::size_t width, bool color);

/// "uplink of leaf-0 held it back for 3.2 ms (alone 1 ms)": of the links that it shares the one that holds it longest;
/// empty where none does.
std::string held_back_by(const JobRecord& job);

}  // namespace orrery::show
