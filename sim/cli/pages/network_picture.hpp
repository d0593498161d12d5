/// A network drawn: as a picture, and for Graphviz.
#pragma once

#include <string>

#include "platforms/description.hpp"

namespace orrery::app {

/// sim/show/charts/network_svg.hpp of its outline.
std::string network_svg(const Platform& platform, const Network& network);

/// Graphviz, undirected: switches as boxes, cables with bandwidth, runs of equal nodes of a switch as one vertex.
std::string network_dot(const Platform& platform, const Network& network);

}  // namespace orrery::app
