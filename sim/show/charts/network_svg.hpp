/// A network's picture as a file of its own: nodes coloured by type, cables as thick as they are many.
#pragma once

#include <string>

#include "sim/core/network_outline.hpp"

namespace orrery::show {

/// Self-contained, follows light and dark schemes; every switch, cable and cell of nodes says in words what it is.
std::string network_svg(const NetworkOutline& outline);

}  // namespace orrery::show
