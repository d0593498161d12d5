/// Repetitions with other seeds (sim/core/repeated.hpp) as a table for the terminal, and what other forms say of them.
#pragma once

#include <cstddef>
#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

/// A row for each point that was repeated, of its whole run and, where that differs, of its compared phase. Empty
/// without any.
std::string repeats_table(const ScenarioResult& result, std::size_t width, bool color);

/// Names of the columns that a CSV has where points were repeated, and those of one point; both open with a comma.
std::string repeats_csv_header();
std::string repeats_csv(const PointResult& point);

}  // namespace orrery::show
