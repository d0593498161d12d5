/// What a scenario concludes from its points: averages of mu, published values beside them.
#pragma once

#include <string>
#include <vector>

#include "sim/core/phase.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

/// Messages and bytes from each group of ranks to each other over the whole program; empty when it has more than ten
/// million steps.  [groups x groups]
std::vector<std::vector<Traffic>> traffic_matrix(const Program& program);
/// Consecutive ranks that share a row and a column of it: a picture of more than 128 says no more.
std::uint32_t traffic_group(std::uint32_t ranks);

/// Platform and protocol in words.
void describe(ScenarioResult& result, const LoadedPoint& point);

/// Metric "speed-up" of each point: makespan of the point that differs in the axes `speed-up-over` alone and has the
/// first value of each, over its own.
void add_speed_ups(ScenarioResult& result, const Scenario& scenario);

/// Published times of single points.
void apply_published(ScenarioResult& result, const Scenario& scenario);
/// Sets beside the points what was measured of them.
void apply_measured(ScenarioResult& result, const Scenario& scenario);
/// What a factor says that all simulated and measured times have between them (measured_factor.hpp); empty: they have
/// none.
std::string measured_factor(const ScenarioResult& result, const Scenario& scenario);

/// Published values that stand beside nothing, one sentence each with its place.
std::vector<std::string> unused_published(const Scenario& scenario);

/// mu of what was predicted, not of runs a model was fitted to, averaged over the axis `average-over`, for each model
/// and each combination of the other settings. Empty without that axis. Published averages stand beside those whose
/// conditions they meet.
std::vector<AverageRow> average_rows(const ScenarioResult& result, const Scenario& scenario);

/// Whether a point has the settings that something is stated of.
bool meets(const Condition& condition, const PointSpec& point);
/// Whether something stated of a model means it in this mode.
bool about(const Condition& condition, const std::string& model, const std::string& mode);

}  // namespace orrery::study
