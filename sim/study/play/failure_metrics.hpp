/// How long many steps take on nodes that fail, as metrics of the point that is one step (models/stats/failures.hpp).
///
///   time to solution, h       median of the draws; 5 % and 95 % of them
///   failures                  mean over the draws
///   time at work, %           steps x makespan over the mean time to solution
///   interval, h               between checkpoints: the one stated, or the one with the least mean
///   Young's, Daly's, h        what the formulas say
///   longer with Young's, %    mean time to solution with that interval over that with the interval above, less 1
///
/// A job that makes no headway has time at work 0 and no time to solution.
///
/// Checked  tests/unit/study/failures_test.cpp
#pragma once

#include <vector>

#include "sim/core/metric.hpp"
#include "sim/study/read/failures.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::study {

void add_failures(std::vector<Metric>& metrics, const FailureSpec& spec, const LoadedPoint& point, Seconds step);

}  // namespace orrery::study
