/// Axes of a sweep that change nothing: points that differ in one alone have the same times, to the last bit.
///
/// Checked  tests/unit/study/inert_axes_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::study {

/// A sentence for each such axis. Axes that change together are one; what could not finish is not looked at.
std::vector<std::string> inert_axes(const std::vector<PointResult>& points);

}  // namespace orrery::study
