/// The scenarios of a lab: read, and simulated as by `orrery run`.
#pragma once

#include "sim/study/lab/curves.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::lab {

/// The scenario of a state ("" or "broken"), with further changes of settings. Throws InputError at its line.
Scenario scenario_of(const Lab& lab, const std::string& state, const Conditions& changed = {});

/// The point to step through; `knob`: the value selected with the knob, if any.
Scenario moment_of(const Lab& lab, const std::string& knob);

/// Everything known before simulation: lines, variables of the formula, measured points.
Curves planned(const Lab& lab);

/// All states, simulated. Throws ReplayError for a point that cannot finish.
Curves played(const Lab& lab, unsigned jobs);

/// Reads a lab as each combination of rows gives it, and loads every point, for `orrery check`. Returns a description.
std::string checked(const std::string& path);

}  // namespace orrery::lab
