/// A network's picture as a separate file: nodes coloured by type, the width of a line shows the number of cables.
#pragma once

#include <string>

#include "sim/core/network_outline.hpp"

namespace orrery::show {

/// Self-contained, follows light and dark schemes; every switch, cable and cell of nodes has a text description.
std::string network_svg(const NetworkOutline& outline);

}  // namespace orrery::show
