/// The adapters of a network and its routing, read. Private to platforms/.
#pragma once

#include "platforms/figures.hpp"

namespace orrery {

/// `adapters`, `affinity`, `message-rate` and `striping` of a network. Refuses adapters on elements that are not there
/// or that a socket does not reach, and more parts than adapters.
void load_adapters(const Figures& figures, const Platform& platform, Network& network);

Routing load_routing(const Figures& figures);

}  // namespace orrery
