/// The arguments of every command as data: the declarations behind `--help`, for the man page and for completion.
#pragma once

#include <string>
#include <vector>

namespace orrery::cli {

struct ArgumentOutline {
  std::string names;  ///< "--out", "-o,--out"; of a positional "SCENARIO"
  std::string help;   ///< one or two sentences
  std::string takes;  ///< "TEXT", "PATH", "INT", "FLOAT"; "" for a flag
  std::string usual;  ///< its default; "" for none
  std::vector<std::string> choices;
  bool positional = false, required = false, repeated = false;

  bool flag() const { return takes.empty(); }
};

struct CommandOutline {
  std::string name, summary, example;
  std::vector<ArgumentOutline> arguments;  ///< positionals first
};

/// The summary of a group of commands in `orrery --help` and in completions: "explain: platform, kernel" for "show".
std::string group_summary(const std::string& group, const std::vector<std::string>& words);

/// All commands, in alphabetical order.
std::vector<CommandOutline> command_outlines();

/// {"-o", "--out"} for "-o,--out".
std::vector<std::string> names_of(const ArgumentOutline& argument);

}  // namespace orrery::cli
