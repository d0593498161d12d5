/// The adapters of a network, read. Private to platforms/.
#pragma once

#include "platforms/parameter_reader.hpp"

namespace orrery {

/// `adapters` and `affinity` of a network. Refuses adapters on elements that are not there or that a socket does not
/// reach, and more parts of striped messages than adapters.
void load_adapters(const ParameterReader& parameters, const Platform& platform, Network& network);

}  // namespace orrery
