/// Metrics as the benchmarks themselves print them (sim/core/metric.hpp), for the terminal.
#pragma once

#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

/// Names of all metrics, in order of appearance: columns of table.csv. Empty if there are more than twelve.
std::vector<std::string> metric_columns(const ScenarioResult& result);

/// The name of the metric if it is the only one of all points that ran: a column next to their times. Empty otherwise.
std::string common_metric(const ScenarioResult& result);

/// Four digits: "1.5 us" for a time, "6.85 kW", "30.92 kJ", "7.2 MJ (2 kWh)"; "1234" for other metrics, whose unit is
/// in the heading of the column.
std::string metric_text(const Metric& metric);
std::string metric_with_unit(const Metric& metric);

/// "energy: 30.92 kJ of 2 nodes, of which GPUs at work 66 %, ...; by phase ..."; parts below half a percent are left
/// out. Empty if the platform gives no power.
std::string energy_line(const Energy& energy);

/// For a run whose kernel prints its own table ("T(1 B)   1.2 us", ...): its rows. For a sweep with two to twelve
/// metrics: a row per point, with published values. Empty for a sweep with more, whose values are in result.json, and
/// for a metric that has a column.
std::string metric_table(const ScenarioResult& result, std::size_t width, bool color);

}  // namespace orrery::show
