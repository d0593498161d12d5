/// A platform fitted to measurements: its parameters before and after, measured and fitted times of each point, and its
/// new file. A parameter has a formula if a micro-benchmark depends on it only (fit_campaign.hpp). If times of programs
/// depend on many parameters, a search finds them (fit_scenarios.hpp).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/core/units.hpp"
#include "sim/show/charts/chart.hpp"

namespace orrery::study {

struct PlatformParameter;

/// One row of the table.
struct FittedParameter {
  std::string name = {};                 ///< as in `--parameters`; for a campaign its key in the file
  std::string before = {}, fitted = {};  ///< `before` is empty if the platform file has none
  std::string unit = {};  ///< of the numbers: "s", "B/s", "1"; empty for other values, such as a curve over sizes
  std::optional<double> before_si = {}, fitted_si = {};
  std::optional<double> larger = {},
                        smaller = {};  ///< error of the search if it is 10 % larger or smaller; empty at its bound
  bool used = true;                    ///< some point depends on it
  bool determined = true;              ///< false: the points do not determine it; it keeps its value
  bool at_bound = false;
  std::string held_by = {};  ///< the parameter that is its lower bound and limits it
  std::string note = {};     ///< remark in the table
};

/// A point with its times.
struct FittedPoint {
  std::string label;
  Seconds measured;
  std::optional<Seconds> before;  ///< if this was simulated
  Seconds fitted;
  bool held_out = false;
};

/// Parameters that the points hardly separate.
struct AlikeParameters {
  const PlatformParameter *one = nullptr, *other = nullptr;
  double alike = 0.0;  ///< alike_least..1
};

/// Results of a search: mean |ln(simulated / measured)| before and after.
struct FitSearch {
  double error_before = 0.0, error = 0.0;
  bool complete = true;  ///< false: it stopped at its limit of tries
  std::size_t simulations = 0;
  std::vector<AlikeParameters> alike = {};  ///< most similar first
};

struct PlatformFit {
  std::string platform, network, origin;  ///< "fitted to 15 points of rows.yaml"
  std::vector<FittedParameter> parameters = {};
  std::vector<FittedPoint> points = {};
  std::optional<FitSearch> search = {};         ///< empty: each parameter has a formula
  std::vector<std::string> notes = {};          ///< sentences below the table
  std::vector<show::paper::Chart> charts = {};  ///< in addition to the one of the points
  std::string file_text = {};                   ///< the platform with the fitted parameters
};

}  // namespace orrery::study
