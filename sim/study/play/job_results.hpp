/// Results of a point with several jobs after its simulation: metrics, notes, its traffic.
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/point_spec.hpp"

namespace orrery::study {

/// "slowdown of stencil": one per job; empty for a run of one program.
std::vector<Metric> metrics_of_jobs(const RunResult& run);

/// Traffic was counted for one repetition of each job: multiplies it by the repetitions played. Clears it if a group of
/// ranks belongs to two jobs with different numbers of repetitions.
void count_repetitions(PointResult& point);

/// Notes on jobs that share no link, so that neither can slow the other, with a change that would let them meet.
std::vector<std::string> notes_of_jobs(const RunResult& run, const LoadedPoint& point, const PointSpec& spec);

}  // namespace orrery::study
