/// A network as a picture.
#pragma once

#include <string>

#include "platforms/description.hpp"

namespace orrery::cli {

/// sim/show/charts/network_svg.hpp of its outline.
std::string network_svg(const Platform& platform, const Network& network);

}  // namespace orrery::cli
