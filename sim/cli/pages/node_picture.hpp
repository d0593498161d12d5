/// The inside of a node as a picture: sockets, PCI Express switches, GPUs and their switches in rows, the cables
/// between them in the colour of their kind, and the adapters of a network in their places.
#pragma once

#include <string>

#include "platforms/description.hpp"

namespace orrery::cli {

/// For a node type by its number. Without a `fabric` every GPU is attached to its socket by the link in the file.
std::string node_svg(const Platform& platform, std::uint32_t type, const Network& network);

}  // namespace orrery::cli
