/// What was measured as CSV, with everything above it that is needed to measure it again.
///
///   phase                        of the row, where a row for each phase was asked for; 'run' is the whole run
///   time_s, low_s, high_s        median in seconds, and the 95 % confidence interval of that median
///
/// Read by sim/config/own_predictions.hpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "models/stats/sample.hpp"
#include "sim/core/scenario_result.hpp"
#include "validation/programs/worker.hpp"

namespace orrery::mpi {

struct BenchmarkTime;

/// Compute steps of one kind in one phase, on the first rank.
struct MeasuredWork {
  std::uint64_t steps = 0;
  double flops = 0.0, traffic_B = 0.0;
  std::vector<double> seconds = {};  ///< [runs]
};

/// One point.
struct Measured {
  Settings settings;
  std::string phase;  ///< the compared one
  std::uint32_t ranks = 0;
  std::vector<double> phase_s = {}, run_s = {};                           ///< [runs]
  std::map<std::string, std::vector<double>> by_phase = {};               ///< [runs] of every phase
  std::map<std::pair<std::string, std::string>, MeasuredWork> work = {};  ///< by phase and kind
  std::uint64_t messages = 0;                                             ///< of one run, each received and checked
  double lateness_s = 0.0;                        ///< of a rank at a common start or barrier, at most
  std::optional<programs::Verdict> verdict = {};  ///< of results that were computed: the worse of two runs
};

/// Who measured it, where and how.
struct Origin {
  std::vector<std::string> hosts;  ///< [ranks]
  std::string library, compute, collectives;
  int repeat = 0, warm_up = 0;
  bool phases = false;  ///< a row for each phase, and for the run
};

std::string measured_table(const std::string& scenario, const std::vector<Measured>& points, const Origin& origin,
                           const std::string& note);
/// What compute steps took, to fit a compute model to: columns phase, work, steps, flops, traffic_B, time_s.
std::string work_table(const std::string& scenario, const std::vector<Measured>& points, const Origin& origin);
std::string benchmark_table(const std::vector<BenchmarkTime>& times, const Origin& origin);

}  // namespace orrery::mpi
