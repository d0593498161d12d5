/// The forms of a network's picture other than levels. Private to network_drawing.
#pragma once

#include "sim/show/charts/network_drawing.hpp"

namespace orrery::show {

struct ShapePoint {
  double x = 0.0, y = 0.0;
};

NetworkDrawing on_circle(const NetworkOutline& outline);
NetworkDrawing on_grid(const NetworkOutline& outline);

/// The beginning of a text of 11 px that fits; empty if too little fits to be useful.
std::string fitting(const std::string& text, double width);

}  // namespace orrery::show
