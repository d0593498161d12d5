/// What `orrery fit` prints of a platform's parameters that were fitted to measured runs.
#pragma once

#include <string>

#include "sim/study/fit/fit_scenarios.hpp"

namespace orrery::cli {

/// Figures before and after, what the error says of each, errors of the points.
std::string scenario_fit_text(const study::ScenarioFit& fit);
/// The same as numbers: figures, errors (mean |ln(simulated / measured)|), and each point with its times.
std::string scenario_fit_json(const study::ScenarioFit& fit);
/// How far simulated times lie from measured ones, before and after.
std::string scenario_fit_svg(const study::ScenarioFit& fit);
/// The figures that can be fitted, a line each, for `--help`.
std::string figures_help();

}  // namespace orrery::cli
