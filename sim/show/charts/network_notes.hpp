/// The meaning of the parts of a network's picture as text: its legend, and the line above it in a report.
#pragma once

#include <string>
#include <vector>

#include "sim/core/network_outline.hpp"

namespace orrery::show {

/// "node 7", "nodes 8 to 15", "8 nodes from 3 to 40".
std::string cell_words(const NetworkOutline::Cell& cell);

/// The meaning of a square, then of a box, a line and a layer if these are not obvious.
std::vector<std::string> drawing_notes(const NetworkOutline& outline);

}  // namespace orrery::show
