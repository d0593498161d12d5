/// table.csv: one row per point and prediction (one row for a point without any), RFC 4180, units in the header.
/// A setting with a unit has two columns, as it was written and as a number (numeric_settings.hpp).
/// collectives.csv: one row per point and kind of call (sim/core/collective_record.hpp), likewise.
#pragma once

#include <string>
#include <string_view>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

std::string to_csv(const ScenarioResult& result);
/// Empty without collectives.
std::string collectives_csv(const ScenarioResult& result);
/// jobs.csv: one row per point and job. Empty if every point has one program.
std::string jobs_csv(const ScenarioResult& result);

/// One field, quoted if it contains a comma, a quote or a line break.
std::string csv_field(std::string_view text);

}  // namespace orrery::show
