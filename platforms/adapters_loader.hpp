/// Reads the adapters of a network. Private to platforms/.
#pragma once

#include "platforms/parameter_reader.hpp"

namespace orrery {

/// `adapters` and `affinity` of a network. Refuses adapters on elements that do not exist or that no socket reaches,
/// and more parts of striped messages than adapters.
void load_adapters(const ParameterReader& parameters, const Platform& platform, Network& network);

}  // namespace orrery
