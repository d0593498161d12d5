/// The inside of a node, its adapters on a network and routing, read. Private to platforms/.
#pragma once

#include "platforms/figures.hpp"

namespace orrery {

/// `fabric` of a node type whose sockets and GPUs are known; a GPU's `link-bandwidth` makes a cable to its socket.
/// Refuses elements that are not there and GPUs that no socket reaches.
void load_fabric(const Figures& figures, NodeType& type);

/// `adapters`, `affinity`, `message-rate` and `striping` of a network. Refuses adapters on elements that are not there
/// or that a socket does not reach, and more parts than adapters.
void load_adapters(const Figures& figures, const Platform& platform, Network& network);

Routing load_routing(const Figures& figures);

}  // namespace orrery
