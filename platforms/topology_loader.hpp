/// The `topology:` section of a network. Private to platforms/.
#pragma once

#include "platforms/figures.hpp"

namespace orrery {

/// `{kind: star | fat-tree | torus | dragonfly | graph, ...}`; a graph attaches the nodes that are `joined` to the
/// network, the taper of a fat tree counts bandwidth: a cable between switches carries `link_per_node` times what an
/// adapter does.
Topology load_topology(const Figures& topology, const std::vector<bool>& joined, double link_per_node);

/// Where a network says how many places it needs, by its adapters; or has, where it states none or a scenario changed
/// the size of its topology.
std::string where_of_places(const Figures& network);

}  // namespace orrery
