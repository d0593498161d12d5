/// The two sides of `orrery compare`: a run stored in a folder, or a scenario, which is run.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/play/run_scenario.hpp"

namespace orrery::study {

/// The result of `orrery run` in an output folder (or its file result.json). Throws InputError.
ScenarioResult read_result(const std::string& folder_or_file);

/// Whether a text names a finished run: a folder, or a .json file.
bool names_result(const std::string& text);

struct SideRequest {
  std::string text;                    ///< a folder, a result.json, a scenario's name or file
  std::vector<std::string> overrides;  ///< "path=value", of --set and --with; only scenarios have them
  std::string flag = "--set";          ///< flag of the last override, for messages
  std::ptrdiff_t with = 0;             ///< number of overrides, at the end, from --with
  bool ignore_memory = false;
};

/// A side after reading: both are read before either is run.
struct Side {
  std::optional<ScenarioResult> kept;  ///< a finished run, or
  std::optional<Scenario> scenario;
};
Side read_side(const SideRequest& request);

/// Runs it if it is a scenario; adds the ids of its points to `ids`.
ScenarioResult result_of(Side side, const RunOptions& options, ResultStore& store, std::set<std::string>& ids);

}  // namespace orrery::study
