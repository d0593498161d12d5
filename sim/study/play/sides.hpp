/// The two sides of `orrery compare`: a run that is kept in a folder, or a scenario, which is played.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/play/run_scenario.hpp"

namespace orrery::study {

/// What `orrery run` left in an output folder (or the file result.json of one). Throws InputError.
ScenarioResult read_result(const std::string& folder_or_file);

/// Whether a text names a finished run: a folder, or a .json file.
bool names_result(const std::string& text);

struct SideRequest {
  std::string text;                    ///< a folder, a result.json, a scenario's name or file
  std::vector<std::string> overrides;  ///< "path=value", of --set and --with; only scenarios have them
  std::string flag = "--set";          ///< that gave the last of them, for messages
  std::ptrdiff_t with = 0;             ///< so many of the last ones are of --with
  bool ignore_memory = false;
};

/// A side that has been read: both are, before either is played.
struct Side {
  std::optional<ScenarioResult> kept;  ///< a finished run, or
  std::optional<Scenario> scenario;
};
Side read_side(const SideRequest& request);

/// Plays it if it is a scenario; `ids` takes those of its points.
ScenarioResult result_of(Side side, const RunOptions& options, ResultStore& store, std::set<std::string>& ids);

}  // namespace orrery::study
