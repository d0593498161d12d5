/// Completion of commands, options, their words and the names of what ships, for a shell.
///
/// The scripts are made from the declarations of the commands; names are asked of the program itself (`orrery list
/// platforms --names`), so that they are those of the version that is installed.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/outline.hpp"

namespace orrery::cli {

/// "bash", "fish", "zsh"
const std::vector<std::string>& completion_shells();

/// Throws InputError for a shell that is none of these.
std::string completion_script(const std::string& shell, const std::vector<CommandOutline>& commands);

/// What `orrery list` lists whose names the argument takes ("platforms" for --platform), or the words themselves after
/// '='; "" where it takes neither.
std::string listed_for(const CommandOutline& command, const ArgumentOutline& argument);

}  // namespace orrery::cli
