/// The output of `orrery fit`, for both kinds of fit.
#pragma once

#include <string>

#include "sim/study/fit/platform_fit.hpp"

namespace orrery::cli {

/// Parameters before and after, the sensitivity of the error to each after a search, notes, errors of the points.
std::string fit_text(const study::PlatformFit& fit);
/// The same as numbers: parameters, errors (mean |ln(simulated / measured)|), and each point with its times.
std::string fit_json(const study::PlatformFit& fit);
/// The difference between fitted times and measured ones, before and after; with the fit's own charts.
std::string fit_svg(const study::PlatformFit& fit);
/// The parameters that can be fitted, a line each, for `--help`.
std::string parameters_help();

}  // namespace orrery::cli
