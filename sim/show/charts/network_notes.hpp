/// What the parts of a network's picture stand for, in words: its legend, and the line above it in a report.
#pragma once

#include <string>
#include <vector>

#include "sim/core/network_outline.hpp"

namespace orrery::show {

/// "node 7", "nodes 8 to 15", "8 nodes from 3 to 40".
std::string cell_words(const NetworkOutline::Cell& cell);

/// What a square is, then what a box, a line and a layer are where that does not go without saying.
std::vector<std::string> drawing_notes(const NetworkOutline& outline);

}  // namespace orrery::show
