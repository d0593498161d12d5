/// The running command as typed: for messages that say how to continue.
#pragma once

#include <string>

namespace orrery::cli {

void remember_typed(int argc, char** argv);

/// Ready to be pasted into a shell, with one more option unless it already has it:
/// "orrery run sweep.yaml --set 'network=[a, b]' --resume".
std::string typed_command_with(const std::string& option);

}  // namespace orrery::cli
