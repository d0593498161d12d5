/// Comparison of real runs with a scenario that was simulated and predicted: errors, and broken bounds of the file.
///
///   error of a time = |time - measured| / measured
///   a point repeats when half the confidence interval of its measured median is at most 'repeats-to' of it
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

/// Of the simulation or of a model, over the points that have both times.
struct ErrorRow {
  std::string of;
  std::size_t points = 0;
  double median = 0.0, most_of = 0.0, greatest = 0.0;  ///< `most_of`: nine of ten errors are at most this
  double bias = 0.0;                                   ///< median of (time - measured) / measured
};
ErrorRow error_row(const std::string& of, const std::vector<double>& signed_shares);
/// The simulation first, then each model in the order of the predictions.
std::vector<ErrorRow> error_rows(const ScenarioResult& result);
std::string error_table(const std::vector<ErrorRow>& rows);

/// [points] half of the confidence interval over the median, from an orrery-mpi table with a row for each point.
std::vector<double> spreads_of(const std::string& points_csv);

/// A sentence for each bound of `validate` that does not hold.
std::vector<std::string> broken_bounds(const ScenarioResult& result, const ValidateSpec& validate,
                                       const std::vector<double>& spreads);

}  // namespace orrery::study
