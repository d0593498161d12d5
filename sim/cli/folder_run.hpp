/// A run whose result goes to the terminal and into a folder: code shared by `orrery run`, `search` and `merge`.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/study/play/run_scenario.hpp"
#include "sim/study/store/result_store.hpp"

namespace orrery::cli {

/// Simulates what is missing in the store, prints, and writes table.csv, result.json, report.html, trace.json and
/// parameters. Throws Stopped and Interrupted; everything that ended is then in the store, whose notices have been
/// printed. `play`: run_scenario, or a function that runs a part of the points (search).
using Play = study::ScenarioRun (*)(const Scenario& scenario, const study::RunOptions& options,
                                    study::ResultStore& store);
ScenarioResult run_into(const std::string& folder, const Scenario& scenario, const study::RunOptions& options,
                        const std::string& format, study::ResultStore& store, Play play = study::run_scenario);

/// The results kept by a stopped command, and the command to continue.
Refusal go_on_later(Refusal kept);
/// Throws Interrupted with the number of results in the store of a stopped run, and the command to continue.
[[noreturn]] void tell_how_to_resume(const study::Stopped& stop, const Scenario& scenario,
                                     const study::ResultStore& store);

/// The failures of one result or several, in the order of exit codes.
class Verdict {
 public:
  /// Prints the points that failed.
  void see(const ScenarioResult& result);
  /// Prints what was broken. Throws ReplayError if a point failed, BoundError if `check` was requested and a tolerance
  /// is broken.
  void conclude(bool check) const;

 private:
  std::size_t failed_ = 0;
  std::vector<std::string> broken_;
};

}  // namespace orrery::cli
