/// Which points of a large sweep a page shows: as many as a browser draws, as evenly as the sweep has them.
///
/// The longest axis loses every other value, then the longest that is left, until few enough points have only values
/// that stayed; the first and the last value of an axis stay, so that charts keep their ends. Failed points go as others
/// do.
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
