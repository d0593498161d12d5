/// What `orrery fit` prints and draws, whatever the platform was fitted to.
#pragma once

#include <string>

#include "sim/study/fit/platform_fit.hpp"

namespace orrery::cli {

/// Parameters before and after, what the error says of each where they were searched for, notes, errors of the points.
std::string fit_text(const study::PlatformFit& fit);
/// The same as numbers: parameters, errors (mean |ln(simulated / measured)|), and each point with its times.
std::string fit_json(const study::PlatformFit& fit);
/// How far fitted times lie from measured ones, before and after; with the fit's own charts.
std::string fit_svg(const study::PlatformFit& fit);
/// The parameters that can be searched for, a line each, for `--help`.
std::string parameters_help();

}  // namespace orrery::cli
