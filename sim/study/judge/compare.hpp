/// Conclusions of a scenario from its points: averages of mu, compared with published values.
#pragma once

#include <string>
#include <vector>

#include "sim/core/phase.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

/// Messages and bytes from each group of ranks to each other group over the whole program; empty if it has more than
/// ten million steps.  [groups x groups]
std::vector<std::vector<Traffic>> traffic_matrix(const Program& program);
/// Number of consecutive ranks that share a row and a column: more than 128 rows add nothing to a picture.
std::uint32_t traffic_group(std::uint32_t ranks);

/// Describes platform and protocol as text.
void describe(ScenarioResult& result, const LoadedPoint& point);

/// Metric "speed-up" of each point: the makespan of the point that differs only in the axes of `speed-up-over` and has
/// the first value of each, divided by its own makespan.
void add_speed_ups(ScenarioResult& result, const Scenario& scenario);

/// Published times of single points.
void apply_published(ScenarioResult& result, const Scenario& scenario);
/// Adds the measured times to the points.
void apply_measured(ScenarioResult& result, const Scenario& scenario);
/// A sentence on a factor common to all simulated and measured times (measured_factor.hpp); empty if there is none.
std::string measured_factor(const ScenarioResult& result, const Scenario& scenario);

/// Published values that are compared with nothing, one sentence each with its place.
std::vector<std::string> unused_published(const Scenario& scenario);

/// mu of predictions, without runs a model was fitted to, averaged over the axis `average-over`, for each model and
/// each combination of the other settings. Empty without that axis. Published averages are compared with the rows whose
/// conditions they meet.
std::vector<AverageRow> average_rows(const ScenarioResult& result, const Scenario& scenario);

/// Whether a point has the settings of the condition.
bool meets(const Condition& condition, const PointSpec& point);
/// Whether the condition applies to this mode of the model.
bool about(const Condition& condition, const std::string& model, const std::string& mode);

}  // namespace orrery::study
