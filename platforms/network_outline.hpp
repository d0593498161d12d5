/// A network as its picture shows it: which switches and nodes stand for themselves, which together.
///
/// Up to 40 switches of a level (64 of a circle, 512 routers of a torus, 96 of a dragonfly) each have a place of their
/// own; of more, consecutive ones share one. A place has its nodes in at most 1,024 cells in all.
#pragma once

#include "platforms/routes.hpp"
#include "sim/core/network_outline.hpp"

namespace orrery {

/// The outline, and to which of its slots each link belongs.
struct OutlinedNetwork {
  NetworkOutline outline;
  std::vector<std::uint32_t> slot_of_link;  ///< [links]
};

/// What the links of a switch towards the nodes carry over what those away from them do, for each level but the top.
std::vector<double> tapers(const FatTreeTopology& tree, const Network& network);
/// "2:1", "1:1, 2:1 (leaves first)"; empty where all are 1.
std::string taper_text(const FatTreeTopology& tree, const Network& network);

OutlinedNetwork outline_of(const Platform& platform, const Network& network, const Routes& routes);

}  // namespace orrery
