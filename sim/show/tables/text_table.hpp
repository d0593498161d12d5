/// A scenario's result for the terminal: one table of points, one of averages, and what limits the points.
#pragma once

#include <cstddef>
#include <limits>
#include <string>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

struct TableStyle {
  std::size_t width = 80;  ///< columns of the terminal; wider tables are wrapped by model or transposed
  bool color = false;      ///< the caller decides (a terminal, and NO_COLOR unset)
  std::size_t rows_max = std::numeric_limits<std::size_t>::max();  ///< points shown before "... and n more"
};

std::string to_text_table(const ScenarioResult& result, const TableStyle& style = {});

}  // namespace orrery::show
