/// `--svg`, `--pdf`, `--png` and `--chart`: the charts of a result as files for a paper.
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::cli {

class CommandLine;

struct ChartOptions {
  std::string svg, pdf, png;        ///< folders; empty: not requested
  std::vector<std::string> charts;  ///< "x=ranks,y=makespan"; empty: the default ones

  bool any() const { return !svg.empty() || !pdf.empty() || !png.empty(); }
};

/// Declares the options.
void chart_options(CommandLine& line, ChartOptions& options);

/// Call before simulation: throws InputError if a --chart is invalid, or has no output folder.
void check_charts(const ChartOptions& options);

/// The same for a known scenario: refuses a --chart of something that is not in its sweep.
void check_charts(const ChartOptions& options, const Scenario& scenario);

/// Writes each chart in each requested format, below `subfolder` if there are several results, and prints the paths.
void write_charts(const ChartOptions& options, const ScenarioResult& result, const std::string& subfolder = "");

}  // namespace orrery::cli
