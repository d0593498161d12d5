/// A network as a picture.
#pragma once

#include <string>

#include "platforms/description.hpp"

namespace orrery::cli {

/// The picture of its outline by sim/show/charts/network_svg.hpp.
std::string network_svg(const Platform& platform, const Network& network);

}  // namespace orrery::cli
