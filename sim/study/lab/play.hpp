/// The scenarios of a lab: read, and played as `orrery run` plays them.
#pragma once

#include "sim/study/lab/curves.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::lab {

/// The scenario of a state ("" or "broken"), with more settings changed. Throws InputError at its line.
Scenario scenario_of(const Lab& lab, const std::string& state, const Conditions& changed = {});

/// The point that is stepped through; `knob`: the value that it is turned to, if it is.
Scenario moment_of(const Lab& lab, const std::string& knob);

/// What is known before anything is played: lines, letters of the formula, measured points.
Curves planned(const Lab& lab);

/// All states, played. Throws ReplayError for a point that cannot finish.
Curves played(const Lab& lab, unsigned jobs);

/// Reads a lab as a student of each combination gets it, and loads every point: what `orrery check` does. In words.
std::string checked(const std::string& path);

}  // namespace orrery::lab
