/// What the benchmarks themselves would print (sim/core/metric.hpp), for the terminal.
#pragma once

#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

/// Names of all metrics, in order of appearance: columns of table.csv. None where there are more than twelve.
std::vector<std::string> metric_columns(const ScenarioResult& result);

/// The name of the metric where all points that ran have this one alone: a column beside their times. Empty otherwise.
std::string common_metric(const ScenarioResult& result);

/// Four digits: "1.5 us" of a time, "6.85 kW", "30.92 kJ", "7.2 MJ (2 kWh)"; "1234" of anything else (its unit heads the
/// column).
std::string metric_text(const Metric& metric);
std::string metric_with_unit(const Metric& metric);

/// "energy: 30.92 kJ of 2 nodes, of which GPUs at work 66 %, ...; by phase ..."; what is below half a percent is left
/// out. Empty where the platform states no power.
std::string energy_line(const Energy& energy);

/// A run whose kernel prints a table of its own ("T(1 B)   1.2 us", ...): its rows. A sweep with two to twelve metrics: a row
/// for each point, beside what is published. Empty for a sweep with more, whose values are in result.json, and for what
/// is a column.
std::string metric_table(const ScenarioResult& result, std::size_t width, bool color);

}  // namespace orrery::show
