/// The times that a scenario names as measured: their file (own_predictions.hpp), and what of a run they are.
///
///   measured: lat.csv                             # rows without a phase: of the compared phase
///   measured: {file: lat.csv, metric: T(m)}       # rows without a phase: of what the kernel prints of its run
///
/// Checked  tests/unit/study/measured_rows_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/core/metric.hpp"
#include "sim/core/replay_result.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery {

/// What benchmarks of others print of what a kernel plays, where that is another time than the compared phase.
struct PrintedTime {
  const char *kernel, *metric;  ///< "pingpong", "T(m)"
  const char* what;             ///< "half the round trip"
  const char* printer;          ///< "osu_latency and IMB PingPong"
};
/// Null: they print the compared phase.
const PrintedTime* printed_of(const std::string& kernel);

/// Reads the file that the scenario names, if it names one.
void read_measured_times(Scenario& scenario, const EachPoint& points);

/// The scenario's metric among those of a run of the kernel; "whole run" is its makespan. Throws InputError where it is
/// not there, or is no time.
Seconds metric_time(const Scenario& scenario, const std::string& kernel, const std::vector<Metric>& metrics,
                    const RunResult& run);

/// What a user should know of the measured times: rows that are not used, notes of the file, and times that may be of
/// something else than what they are compared with.
std::vector<std::string> notes_of_measured(const Scenario& scenario);

}  // namespace orrery
