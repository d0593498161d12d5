/// What is made of a point of several jobs once it is played: metrics, notes, its traffic.
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/point_spec.hpp"

namespace orrery::study {

/// "slowdown of stencil": of each job; none of a run of one program.
std::vector<Metric> metrics_of_jobs(const RunResult& run);

/// Who sends to whom was counted of one repetition of each job: times as many as were played. None where groups of
/// ranks belong to two jobs that were played differently often.
void count_repetitions(PointResult& point);

/// Jobs that share no link, so that none can slow the other, with what would let them meet.
std::vector<std::string> notes_of_jobs(const RunResult& run, const LoadedPoint& point, const PointSpec& spec);

}  // namespace orrery::study
