/// Words as a shell reads them back: for commands that are shown, and scripts that are written.
#pragma once

#include <string>
#include <vector>

namespace orrery {

/// network=ethernet as it is, 'network=[a, b]' quoted.
std::string shell_word(const std::string& word);
/// The words of a command, with a space between them.
std::string shell_line(const std::vector<std::string>& words);

}  // namespace orrery
