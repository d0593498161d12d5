/// The commented platform file that `orrery new platform` writes: every key, ready to be edited.
#pragma once

#include <string>

namespace orrery::cli {

/// `name`: 1 to 64 of a-z, 0-9 and '-', as required for a platform's name.
std::string platform_template(const std::string& name);

}  // namespace orrery::cli
