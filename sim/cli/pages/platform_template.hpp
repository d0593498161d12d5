/// The commented platform file that `orrery new platform` writes: every key, ready to be edited.
#pragma once

#include <string>

namespace orrery::cli {

/// `name`: 1 to 64 of a-z, 0-9 and '-', as a platform's name must be.
std::string platform_template(const std::string& name);

}  // namespace orrery::cli
