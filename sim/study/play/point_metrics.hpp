/// What the kernel itself would print of a run, with what the run draws and costs.
#pragma once

#include <vector>

#include "sim/core/metric.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::study {

std::vector<Metric> metrics_of(const PointSpec& spec, const LoadedPoint& point, const RunResult& run);

}  // namespace orrery::study
