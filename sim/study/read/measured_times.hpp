/// The times that a scenario gives as measured: their file (own_predictions.hpp), and which time of a run they are.
///
///   measured: lat.csv                             # rows without a phase: of the compared phase
///   measured: {file: lat.csv, metric: T(m)}       # rows without a phase: of what the kernel prints
///
/// Checked  tests/unit/study/measured_rows_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/core/metric.hpp"
#include "sim/core/replay_result.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery {

/// Times that benchmarks print for a kernel, if that is another time than the compared phase.
struct PrintedTime {
  const char *kernel, *metric;  ///< "pingpong", "T(m)"
  const char* what;             ///< "half the round trip"
  const char* printer;          ///< "osu_latency and IMB PingPong"
};
/// Null: the benchmarks print the compared phase.
const PrintedTime* printed_of(const std::string& kernel);

/// Reads the scenario's file of measured times, if it names one.
void read_measured_times(Scenario& scenario, const EachPoint& points);

/// The scenario's metric among those of a run of the kernel; "whole run" is its makespan. Throws InputError if it is
/// missing, or is no time.
Seconds metric_time(const Scenario& scenario, const std::string& kernel, const std::vector<Metric>& metrics,
                    const RunResult& run);

/// Notes on the measured times: unused rows, notes of the file, and times that may be of something else than what they
/// are compared with.
std::vector<std::string> notes_of_measured(const Scenario& scenario);

}  // namespace orrery
