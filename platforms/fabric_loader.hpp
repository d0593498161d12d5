/// The inside of a node, read. Private to platforms/.
#pragma once

#include "platforms/parameter_reader.hpp"

namespace orrery {

/// `fabric` of a node type whose sockets and GPUs are known; a GPU's `link-bandwidth` makes a cable to its socket.
/// Refuses elements that are not there and GPUs that no socket reaches.
void load_fabric(const ParameterReader& parameters, NodeType& type);

}  // namespace orrery
