/// A platform fitted to what was measured: its parameters before and after, measured times beside those that they give,
/// and its file again. A parameter has a formula where micro-benchmarks show it alone (fit_campaign.hpp), and is searched
/// for where times of programs show many together (fit_scenarios.hpp).
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
  std::string name = {};                 ///< as `--parameters` has it; of a campaign its key in the file
  std::string before = {}, fitted = {};  ///< `before` is empty where the platform states none
  std::string unit = {};  ///< of the numbers: "s", "B/s", "1"; empty of what is none, as a curve over sizes
  std::optional<double> before_si = {}, fitted_si = {};
  std::optional<double> larger = {},
                        smaller = {};  ///< error of a search with it 10 % larger, 10 % smaller; none at its bound
  bool used = true;                    ///< some point depends on it
  bool determined = true;              ///< false: the points do not tell, and it stays
  bool at_bound = false;
  std::string held_by = {};  ///< it would be lower, but for the parameter that it may not be below
  std::string note = {};     ///< what is said beside it
};

/// A point beside its times.
struct FittedPoint {
  std::string label;
  Seconds measured;
  std::optional<Seconds> before;  ///< where that was simulated
  Seconds fitted;
  bool held_out = false;
};

/// Parameters that the points hardly tell apart.
struct AlikeParameters {
  const PlatformParameter *one = nullptr, *other = nullptr;
  double alike = 0.0;  ///< alike_least..1
};

/// What a search says of itself: mean |ln(simulated / measured)| before and after.
struct FitSearch {
  double error_before = 0.0, error = 0.0;
  bool complete = true;  ///< false: it stopped at its bound of tries
  std::size_t simulations = 0;
  std::vector<AlikeParameters> alike = {};  ///< the most alike first
};

struct PlatformFit {
  std::string platform, network, origin;  ///< "fitted to 15 points of rows.yaml"
  std::vector<FittedParameter> parameters = {};
  std::vector<FittedPoint> points = {};
  std::optional<FitSearch> search = {};         ///< none: each parameter has a formula
  std::vector<std::string> notes = {};          ///< sentences below the table
  std::vector<show::paper::Chart> charts = {};  ///< beside the one of the points
  std::string file_text = {};                   ///< the platform with the parameters
};

}  // namespace orrery::study
