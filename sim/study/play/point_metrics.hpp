/// Metrics of a run: those that the kernel itself prints, energy and cost, and, with `failures`, the duration of many
/// steps on nodes that fail (models/stats/failures.hpp).
///
///   energy, J                 of everything (sim/core/energy.hpp)
///   mean power, W             energy / makespan
///   greatest power, W         the greatest mean of 200 equal bins over the run
///   cost                      sum over nodes of price x hours, and electricity x kWh, as far as the platform states them
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
#include "sim/study/read/point.hpp"

namespace orrery::study {

std::vector<Metric> metrics_of(const PointSpec& spec, const LoadedPoint& point, const RunResult& run);

}  // namespace orrery::study
