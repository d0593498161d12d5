/// What 'orrery list' lists: "kernels", "platforms" ...
#pragma once

#include <string>
#include <vector>

namespace orrery::cli {

const std::vector<std::string>& listed_things();

}  // namespace orrery::cli
