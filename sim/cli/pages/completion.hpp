/// Completion of commands, options, their values and the names of shipped files, for a shell.
///
/// The scripts are made from the declarations of the commands; names come from the program itself (`orrery list
/// platforms --names`), so that they match the installed version.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/outline.hpp"

namespace orrery::cli {

/// "bash", "fish", "zsh"
const std::vector<std::string>& completion_shells();

/// Throws InputError for a shell that is none of these.
std::string completion_script(const std::string& shell, const std::vector<CommandOutline>& commands);

/// The list of `orrery list` with the names for the argument ("platforms" for --platform), or the words themselves
/// after '='; "" if it takes neither.
std::string listed_for(const CommandOutline& command, const ArgumentOutline& argument);

}  // namespace orrery::cli
