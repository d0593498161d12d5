/// The inside of a node as a picture: sockets, PCI Express switches, GPUs and their switches in rows, the cables that
/// join them in the colour of their kind, and the adapters of a network where they are.
#pragma once

#include <string>

#include "platforms/description.hpp"

namespace orrery::cli {

/// Of a node type by its number. Without a `fabric` every GPU hangs on its socket by the link it states.
std::string node_svg(const Platform& platform, std::uint32_t type, const Network& network);

}  // namespace orrery::cli
