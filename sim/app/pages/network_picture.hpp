/// A network drawn: switches in levels (or on a circle when every switch has nodes), the nodes below their switch.
#pragma once

#include <string>

#include "platforms/description.hpp"

namespace orrery::app {

/// One self-contained SVG; follows light and dark schemes. Beyond 60 switches of a level the rest are counted, not
/// drawn.
std::string network_svg(const Platform& platform, const Network& network);

/// Graphviz, undirected: switches as boxes, cables with bandwidth, runs of equal nodes of a switch as one vertex.
std::string network_dot(const Platform& platform, const Network& network);

}  // namespace orrery::app
