/// A network in the form of its picture: which switches and nodes are drawn separately, and which together.
///
/// Up to 40 switches of a level (64 of a circle, 512 routers of a torus, 96 of a dragonfly) each have a separate place;
/// if there are more, consecutive ones share one. All places together have at most 1,024 cells of nodes.
#pragma once

#include "platforms/routes.hpp"
#include "sim/core/network_outline.hpp"

namespace orrery {

/// The outline, and the slot of each link.
struct OutlinedNetwork {
  NetworkOutline outline;
  std::vector<std::uint32_t> slot_of_link;  ///< [links]
};

/// Oversubscription of each level except the top: bandwidth of a switch's links towards the nodes over the others.
std::vector<double> tapers(const FatTreeTopology& tree, const Network& network);
/// "2:1", "1:1, 2:1 (leaves first)"; empty where all are 1.
std::string taper_text(const FatTreeTopology& tree, const Network& network);

OutlinedNetwork outline_of(const Platform& platform, const Network& network, const Routes& routes);

}  // namespace orrery
