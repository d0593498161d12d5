/// trace.json of one point, for Perfetto or chrome://tracing: nodes are processes, ranks are threads. Slices nest on a
/// rank's row: its phases contain its collectives, which contain its activities. An arrow leads from the slice that
/// sends a message to the one that receives it. Phases also have a separate process, and each resource has a counter of
/// its load in per cent.
#pragma once

#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

std::string to_chrome_trace(const PointResult& point);

}  // namespace orrery::show
