/// How commands print on the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::cli {

/// Columns to print on: COLUMNS of the environment, else of the terminal on stdout; no limit for a file or a pipe.
std::size_t terminal_width();
/// Whether stdout is a terminal that may be given colours (NO_COLOR is honoured).
bool terminal_color();
/// A table that was made for `terminal_width` and `terminal_color`, on stdout.
void say_table(const std::string& text);

/// How many simulations at once --jobs asks for; 0: one per core. Throws InputError when negative.
unsigned jobs_of(int asked);

/// On stdout: "table" (terminal_width), "json" or "csv". `full`: JSON with everything that was kept.
void print_result(const ScenarioResult& result, const std::string& format, bool full = false);

/// Files that a command is asked for beside what it prints; empty: not written.
struct TableFiles {
  std::string svg, csv;
  std::string chart;  ///< what is drawn, as --chart of 'orrery run' says it
};
void write_table(const ScenarioResult& result, const TableFiles& files);

}  // namespace orrery::cli
