/// `--svg`, `--pdf`, `--png` and `--chart`: the charts of a result as files for a paper.
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::cli {

class CommandLine;

struct ChartOptions {
  std::string svg, pdf, png;        ///< folders; empty: not asked for
  std::vector<std::string> charts;  ///< "x=ranks,y=makespan"; none: the usual ones

  bool any() const { return !svg.empty() || !pdf.empty() || !png.empty(); }
};

/// Enters the options.
void chart_options(CommandLine& line, ChartOptions& options);

/// Before anything is played: throws InputError where a --chart cannot be read, or has no folder to go to.
void check_charts(const ChartOptions& options);

/// The same once the scenario is known: a --chart of what its sweep has not is refused.
void check_charts(const ChartOptions& options, const Scenario& scenario);

/// Writes each chart in each form asked for, below `subfolder` if there are several results, and says where.
void write_charts(const ChartOptions& options, const ScenarioResult& result, const std::string& subfolder = "");

}  // namespace orrery::cli
