/// Words in the form that a shell reads: for commands in texts, and for generated scripts.
#pragma once

#include <string>
#include <vector>

namespace orrery {

/// network=ethernet unchanged, 'network=[a, b]' quoted.
std::string shell_word(const std::string& word);
/// The words of a command, with a space between them.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace orrery
