/// A run whose result goes to the terminal and into a folder: what `orrery run`, `search` and `merge` have in common.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/study/play/run_scenario.hpp"
#include "sim/study/store/result_store.hpp"

namespace orrery::cli {

/// Plays what the store lacks, prints, and writes table.csv, result.json, report.html, trace.json and parameters.
/// Throws Stopped and Interrupted with all that ended kept in the store, whose notices were told.
/// `play`: run_scenario, or what plays a part of the points (search).
using Play = study::ScenarioRun (*)(const Scenario& scenario, const study::RunOptions& options,
                                    study::ResultStore& store);
ScenarioResult run_into(const std::string& folder, const Scenario& scenario, const study::RunOptions& options,
                        const std::string& format, study::ResultStore& store, Play play = study::run_scenario);

/// Throws Interrupted with what a stopped run of the scenario leaves in its store, and the command that goes on.
/// What is kept of a stopped command, and the command that goes on.
Refusal go_on_later(Refusal kept);
[[noreturn]] void tell_how_to_resume(const study::Stopped& stop, const Scenario& scenario,
                                     const study::ResultStore& store);

/// What was wrong with one result or several, in the order of exit codes.
class Verdict {
 public:
  /// Tells which points failed.
  void see(const ScenarioResult& result);
  /// Tells what was broken. Throws ReplayError where a point failed, BoundError where `check` was asked for and a
  /// tolerance is broken.
  void conclude(bool check) const;

 private:
  std::size_t failed_ = 0;
  std::vector<std::string> broken_;
};

}  // namespace orrery::cli
