/// The adapters of a network, read. Private to platforms/.
#pragma once

#include "platforms/figures.hpp"

namespace orrery {

/// `adapters` and `affinity` of a network. Refuses adapters on elements that are not there or that a socket does not
/// reach, and more parts of striped messages than adapters.
void load_adapters(const Figures& figures, const Platform& platform, Network& network);

}  // namespace orrery
