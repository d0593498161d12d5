/// The points of a large sweep that a page shows: as many as a browser can draw, spread evenly over the sweep.
///
/// The longest axis loses every other value, then the axis that is now the longest, until few enough points have only
/// remaining values. The first and the last value of an axis remain, so that charts keep their ends. Failed points are
/// treated like the others.
///
/// Checked  tests/unit/show/shown_points_test.cpp
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

struct ShownPoints {
  std::vector<std::size_t> numbers;  ///< of the result's points, ascending
  /// "every 8th of the 1000 values of message, ..."; empty when all are shown.
  std::string thinned;
};

ShownPoints shown_points(const ScenarioResult& result, std::size_t points_max);

}  // namespace orrery::show
