/// The positions in a network's picture: levels of switches above their nodes, a circle, or the grid of a torus.
///
/// Pure geometry: `orrery show platform --svg` and the report use the same positions. The first colours nodes by type,
/// the second by load. A cell of nodes has its outgoing NICs on the left half and its incoming ones on the right.
#pragma once

#include <string>
#include <vector>

#include "sim/core/network_outline.hpp"

namespace orrery::show {

struct NetworkDrawing {
  struct Box {  ///< of places[place], or of cells[cell]
    double x = 0.0, y = 0.0, width = 0.0, height = 0.0;
    std::string text;  ///< shortened to fit
    std::uint32_t of = 0;
  };
  /// From one end to the other through a point where it bends; a cable round the edge of a torus has two.
  struct Line {
    double x = 0.0, y = 0.0, bend_x = 0.0, bend_y = 0.0, to_x = 0.0, to_y = 0.0;
    std::uint32_t cables = 0;
  };
  struct Label {
    double x = 0.0, y = 0.0;
    std::string text, anchor;  ///< start, middle, end
  };
  double width = 0.0, height = 0.0;
  std::vector<Box> boxes, cells;
  std::vector<Box> frames;  ///< around the cells of a place, joined to it by a line
  std::vector<Line> lines;
  std::vector<Label> labels;
};

NetworkDrawing draw_network(const NetworkOutline& outline);
}  // namespace orrery::show
