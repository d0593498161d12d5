/// The `topology:` section of a network. Private to platforms/.
#pragma once

#include "platforms/figures.hpp"

namespace orrery {

/// `{kind: star | fat-tree | torus | dragonfly | graph, ...}`; a graph attaches `nodes` nodes.
Topology load_topology(const Figures& topology, std::uint32_t nodes);

}  // namespace orrery
