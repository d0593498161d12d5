/// How commands print on the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::app {

/// Columns of the terminal on stdout; 160 where there is none.
std::size_t terminal_width();
/// Whether stdout is a terminal that may be given colours (NO_COLOR is honoured).
bool terminal_color();

/// How many simulations at once --jobs asks for; 0: one per core. Throws InputError when negative.
unsigned jobs_of(int asked);

/// On stdout: "table" (as wide as the terminal), "json" or "csv".
void print_result(const ScenarioResult& result, const std::string& format);

}  // namespace orrery::app
