/// Common texts of all forms of a result: the real time, the settings that differ, what limits the run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

/// Predictions are compared with the measured time of a point if there is one, else with the simulated time; those of a
/// whole run with its makespan.
std::optional<Seconds> reference_time(const PointResult& point, const Prediction& prediction);
/// "measured" or "simulated": the reference of predictions of the compared phase; empty without either.
std::string reference_name(const PointResult& point);

/// "outgoing NICs 21 %, memories 3 %": bytes carried by the kinds over their capacity; empty if nothing carried any.
std::string kinds_sentence(const RunResult& run);
/// "compute 61 % (52..70 %), wait 39 % (30..48 %)": the ranks' share of the makespan by activity, with the smallest and
/// largest of any rank (or mean of a group of ranks). Empty without times by rank.
std::string ranks_sentence(const RunResult& run, std::size_t ranks);
/// Ranks in the groups [first, last) of `activity_times`; the last group may be smaller than the others.
std::size_t ranks_in_groups(const RunResult& run, std::size_t ranks, std::size_t first, std::size_t last);

/// Distinct values of every setting, over all points, in order of first appearance.
struct SettingValues {
  std::string key;
  std::vector<std::string> values;  ///< "" stands for points without this setting
};
std::vector<SettingValues> setting_values(const ScenarioResult& result);

/// The value of a setting, or "".
std::string setting_of(const Settings& settings, const std::string& key);

/// "kernel.blocks" becomes "blocks" unless another key has the same last word.
std::string short_key(const std::string& key, const std::vector<SettingValues>& all);

/// "summa, infiniband, blocks 128, M10": the values of all settings (numbers with their key), or the scenario's name if
/// nothing distinguishes it.
std::string point_label(const PointResult& point);

/// Distinct labels of the predictions of all points, in order of first appearance.
std::vector<std::string> prediction_labels(const ScenarioResult& result);

/// Reservations about the predictions, each sentence once with its model and, unless it applies to all points that the
/// model predicts, the number of points: "hockney: 12 messages ... (3 of 16 points)".
std::vector<std::string> prediction_notes(const ScenarioResult& result);

}  // namespace orrery::show
