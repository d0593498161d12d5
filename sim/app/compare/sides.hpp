/// The two sides of `orrery compare`: a run that is kept in a folder, or a scenario, which is played.
#pragma once

#include <string>
#include <vector>

#include "sim/app/run/run_scenario.hpp"
#include "sim/core/scenario_result.hpp"

namespace orrery::app {

/// What `orrery run` left in an output folder (or the file result.json of one). Throws InputError.
ScenarioResult read_result(const std::string& folder_or_file);

/// Whether a text names a finished run: a folder, or a .json file.
bool names_result(const std::string& text);

struct SideRequest {
  std::string text;                    ///< a folder, a result.json, a scenario's name or file
  std::vector<std::string> overrides;  ///< "path=value", of --set; only scenarios have them
  std::string flag = "--set";          ///< that gave them, for messages
  bool ignore_memory = false;
};

/// Reads or plays it. Throws InputError.
ScenarioResult result_of(const SideRequest& side, const RunOptions& options);

}  // namespace orrery::app
