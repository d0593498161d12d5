/// Reads the inside of a node. Private to platforms/.
#pragma once

#include "platforms/parameter_reader.hpp"

namespace orrery {

/// `fabric` of a node type whose sockets and GPUs are already read; a GPU's `link-bandwidth` becomes a cable to its
/// socket. Refuses elements that do not exist and GPUs that no socket reaches.
void load_fabric(const ParameterReader& parameters, NodeType& type);

}  // namespace orrery
