/// trace.json of one point, for Perfetto or chrome://tracing: nodes are processes, ranks are threads. On a rank's row
/// slices nest: its phases, in them its collectives, in them its activities; an arrow leads from the slice that sends a
/// message to the one that receives it. Phases have a process of their own too, and each resource a counter of its load
/// in per cent.
#pragma once

#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

std::string to_chrome_trace(const PointResult& point);

}  // namespace orrery::show
