/// A program that measures, started in a folder and waited for: its words go to a log, a line says how long it has run,
/// Ctrl-C ends it too.
#pragma once

#include <string>
#include <vector>

namespace orrery::cli {

struct ProgramRun {
  std::vector<std::string> command;
  std::string folder;  ///< it runs there
  std::string log;     ///< file of what it prints
  std::string doing;   ///< "measuring messages", for the line and for who interrupts it
};

/// Its exit code; 128 and the signal that ended it. Throws Interrupted once it has ended after Ctrl-C.
int run_program(const ProgramRun& run);

}  // namespace orrery::cli
