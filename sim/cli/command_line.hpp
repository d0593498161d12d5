/// Sub-commands: each sim/cli/commands/<name>_command.cpp registers one. A thin interface over CLI11, which costs 4 s
/// per file that includes it.
///
///   const bool entered = commands().add({
///     .name = "show platform", .summary = "...", .example = "orrery show platform fermi",
///     .setup = [](CommandLine& line) {
///       auto options = std::make_shared<Options>();
///       line.positional("NAME", options->name, "platform name or file");
///       line.flag("--svg", options->svg, "print a picture");
///       line.run([options] { return show_platform(*options); });
///     }});
///
/// Results go to stdout, progress and logs to stderr. A command returns its exit code or throws an orrery::Error.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/core/catalogue.hpp"

namespace orrery {
struct LayoutFlags;
}

namespace orrery::study {}

namespace orrery::cli {

using namespace study;  // a command is a study in words

class CommandLine {
 public:
  virtual ~CommandLine() = default;
  virtual void positional(const std::string& name, std::string& into, const std::string& help,
                          bool required = true) = 0;
  virtual void positional(const std::string& name, std::vector<std::string>& into, const std::string& help,
                          bool required = true) = 0;
  virtual void option(const std::string& names, std::string& into, const std::string& help, bool required = false) = 0;
  virtual void option(const std::string& names, std::vector<std::string>& into, const std::string& help) = 0;
  /// A file to read, a name in its place, or a folder: an option, or a positional, whose name begins with no '-'. The
  /// command gets one form of each path (config::tidy_path). A positional is required by default.
  virtual void path(const std::string& names, std::string& into, const std::string& help, bool required) = 0;
  virtual void paths(const std::string& names, std::vector<std::string>& into, const std::string& help,
                     bool required) = 0;
  void path(const std::string& names, std::string& into, const std::string& help) {
    path(names, into, help, !names.starts_with('-'));
  }
  void paths(const std::string& names, std::vector<std::string>& into, const std::string& help) {
    paths(names, into, help, !names.starts_with('-'));
  }
  /// A file to write: refuses two outputs of a command that are one file.
  virtual void output(const std::string& names, std::string& into, const std::string& help, bool required = false) = 0;
  virtual void option(const std::string& names, int& into, const std::string& help) = 0;
  virtual void option(const std::string& names, double& into, const std::string& help) = 0;
  virtual void choice(const std::string& names, std::string& into, const std::vector<std::string>& choices,
                      const std::string& help) = 0;
  virtual void flag(const std::string& names, bool& into, const std::string& help) = 0;
  virtual void run(std::function<int()> body) = 0;
};

struct Command {
  std::string name;  ///< "run", or two words: "show platform"
  std::string summary;
  std::string example;  ///< shown under --help
  std::function<void(CommandLine&)> setup;
};

Catalogue<Command>& commands();

/// --layout, or --ranks, --per-node, --cores and --gpus: the same for all commands that place ranks.
void layout_options(CommandLine& line, LayoutFlags& into);

/// --trace-ranks and --trace-time, for TraceRange: the same for all commands that keep timelines.
void trace_options(CommandLine& line, std::string& ranks, std::string& time);

/// Help of the flag --full, for all commands that write a result.
inline constexpr const char* full_help =
    "write everything: each phase of each iteration, the load of each resource over time, 400 intervals per rank (JSON "
    "and traces of a large point can exceed 100 MB)";

/// Of the flag --ignore-memory, wherever a program is played or predicted.
inline constexpr const char* ignore_memory_help = "run even if the program does not fit into memory of nodes or GPUs";

/// Parses the arguments and runs the sub-command; the process's exit code.
int run_command_line(int argc, char** argv);

}  // namespace orrery::cli
