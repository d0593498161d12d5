/// orrery(1) in troff, from the declarations of the commands.
#pragma once

#include <string>
#include <vector>

#include "sim/cli/outline.hpp"

namespace orrery::cli {

std::string man_page(const std::vector<CommandOutline>& commands);

}  // namespace orrery::cli
