/// Terminal output of commands.
#pragma once

#include <cstddef>
#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::cli {

/// Columns for output: COLUMNS of the environment, else of the terminal on stdout; no limit for a file or a pipe.
std::size_t terminal_width();
/// Whether stdout is a terminal that accepts colours (NO_COLOR is honoured).
bool terminal_color();
/// Prints a table made for `terminal_width` and `terminal_color` on stdout.
void say_table(const std::string& text);

/// The number of parallel simulations in --jobs; 0: one per core. Throws InputError if it is negative.
unsigned jobs_of(int asked);

/// On stdout: "table" (terminal_width), "json" or "csv". `full`: JSON with all stored data.
void print_result(const ScenarioResult& result, const std::string& format, bool full = false);

/// Files that a command writes in addition to its output; empty: not written.
struct TableFiles {
  std::string svg, csv;
  std::string chart;  ///< the content, as in --chart of 'orrery run'
};
void write_table(const ScenarioResult& result, const TableFiles& files);

}  // namespace orrery::cli
