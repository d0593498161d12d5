/// Parameters of a platform fitted to times of programs that were measured on the real machine: `orrery fit
/// SCENARIO.yaml`.
///
///   least  1/N sum |ln(simulated / measured)|    over parameters of the platform, by subplex_search.hpp
///
///   N  points of the scenarios with a measured time, without those held out
///
/// The search estimates totals of many runs from some of them (models/stats/total_estimates.hpp). The result is
/// simulated with all runs; if its error differs by more than `estimate_within`, the search continues there.
///
/// A parameter with another as its lower bound (cached-reduction >= reduction) is searched no lower than that.
///
///   s(f, p) = ln(T(p; 1.1 f) / T(p)) / ln 1.1      what a point p says of a parameter f
///   alike(f, g) = |s(f) . s(g)| / (|s(f)| |s(g)|)  1: more of one is less (or more) of the other, to first order
///
/// The points cannot separate two parameters with `alike` >= `alike_least`; only the sum of both effects is found.
///
/// Valid    parameters that the points tell apart; those they do not stay as they are and are said
/// Checked  tests/unit/study/fit_scenarios_test.cpp
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/study/fit/measured_points.hpp"
#include "sim/study/fit/platform_fit.hpp"

namespace orrery::study {

struct ScenarioFitRequest {
  std::vector<std::string> scenarios;
  std::vector<std::string> parameters;      ///< "latency", "reduction=8GB/s"; empty: all that the platform file gives
  std::string platform, network;            ///< replace those of the scenarios; empty: keep them
  std::vector<std::string> overrides = {};  ///< "path=value" of --set, for each of the scenarios
  std::string hold_out;                     ///< "20%" or "5": points that are excluded from the fit; empty: none
  unsigned jobs = 1;
  std::function<bool()> keep_going = {};  ///< false stops it: throws Interrupted
  std::function<void(const std::string& state)> tell = {};
};

inline constexpr double alike_least = 0.95;
inline constexpr double estimate_within = 0.002;  ///< of the mean |ln(simulated / measured)|

/// Simulated times [points] for these values of the parameters.
using TimesOf = std::function<std::vector<Seconds>(const std::vector<double>& values)>;

/// Pairs of parameters that some point depends on, most similar first.
///   values  of the parameters, as they were found
std::vector<AlikeParameters> alike_parameters(const std::vector<const PlatformParameter*>& parameters,
                                              const std::vector<double>& values, const MeasuredSimulator& simulator,
                                              const TimesOf& times_of);

/// Throws InputError that begins with "--parameters", "--hold-out" or a scenario's place, and Interrupted on request.
PlatformFit fit_scenarios(const ScenarioFitRequest& request);

}  // namespace orrery::study
