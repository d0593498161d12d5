/// Axes of a sweep without effect: points that differ in only one of them have the same times, to the last bit.
///
/// Checked  tests/unit/study/inert_axes_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::study {

/// A sentence for each such axis. Axes that change together count as one; failed points are ignored.
std::vector<std::string> inert_axes(const std::vector<PointResult>& points);

}  // namespace orrery::study
