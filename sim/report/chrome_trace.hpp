/// trace.json of one point, for Perfetto or chrome://tracing: nodes are processes, ranks are threads, activities are
/// complete events; phases have a process of their own and each resource a counter of its load in per cent.
#pragma once

#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::report {

std::string to_chrome_trace(const PointResult& point);

}  // namespace orrery::report
