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

OutlinedNetwork outline_of(const Platform& platform, const Network& network, const Routes& routes);

}  // namespace orrery
