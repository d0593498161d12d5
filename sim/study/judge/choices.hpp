/// Which layout each model would choose for a size, and what it costs to believe it.
///
///   epsilon = (t - T) / T          delta = (e - t) / t
///
///   T  s  simulated time of the layout that is best          t  s  simulated time of the layout chosen
///   e  s  time that the model expects of the layout chosen: the least it expects of any
///
/// A size is what points share that differ in their layout alone. Runs that a model was fitted to count like others, as
/// one chooses among them, too; a layout that a model says nothing of is not chosen by it.
///
/// With `scatter` all models are fitted again to times t exp(r z) of every run, r its spread and z standard normal, and
/// judged by these, as who measures does: epsilon is then the mean over draws.
///
/// Source   Ichikawa, Takahashi & Kawai, sections 4.1 and 6.2
/// Checked  tests/unit/study/choices_test.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

struct AverageChoice {
  std::string by;
  std::string over = {};  ///< the sizes it is of, "N = 4800 to 9600"; empty: all
  std::size_t sizes = 0;
  double epsilon = 0.0, delta_magnitude = 0.0;        ///< means of epsilon and of |delta|
  struct Draws {                                      ///< of times that scatter; `epsilon` is their mean
    double exact = 0.0, least = 0.0, greatest = 0.0;  ///< epsilon of times that do not; over the draws
  };
  std::optional<Draws> draws = {};
  std::optional<double> published, at_least, at_most;
  double runs_s = 0.0;  ///< simulated, of the runs that it was fitted to, where what is published of them is stated
  std::optional<double> published_runs_s, runs_mu;
  std::string why;
  bool is_model = false;
};

/// At how many sizes the best configuration is the one that a paper says.
struct Agreement {
  std::size_t stated = 0, same = 0;
  double epsilon = 0.0;  ///< mean: what the paper's cost here
  std::optional<std::uint32_t> at_least;
  std::optional<double> within = {};  ///< of `epsilon`
  std::string why = {};
};

/// A table as of any run: a point for each size, with the time of the best layout as `simulated`, its name as setting
/// 'best' and, for who chooses, the time of what is chosen as a prediction: its relative error is epsilon. Notes say what
/// each chooses, a metric "delta of ..." what a model expects of it, and notes of the whole what the averages are.
struct Choices {
  ScenarioResult table;
  std::vector<AverageChoice> averages;  ///< over all sizes, then over those that the scenario names
  std::optional<Agreement> agreement = {};
};

/// [points] what models say, fitted to these makespans [points].
using Refit = std::function<std::vector<std::vector<Prediction>>(const std::vector<Seconds>&)>;

/// Which points [of the scenario] the runs are that a published total is of: those that its model is fitted to.
std::vector<std::size_t> runs_of_total(const ChooseSpec::Average& average, const Scenario& scenario);
/// Of points [as in the scenario]; with `scatter` and `refit` averages are over its draws. Throws InputError where an
/// average names a model that the scenario does not have, or no point meets `at`.
Choices choices_of(const ScenarioResult& result, const Scenario& scenario, const Refit& refit = {});
/// Puts averages over the draws of `scatter` in the place of those of the simulated times.
void scatter_averages(std::vector<AverageChoice>& averages, const ScenarioResult& result, const Scenario& scenario,
                      const Refit& refit);

/// Whether a prediction of the table is of a configuration that asks nobody.
inline bool asks_nobody(const std::string& label) { return label.starts_with('('); }

/// One sentence for each bound of it that is broken.
std::vector<std::string> broken_sentences(const AverageChoice& average, const std::string& file);
std::vector<std::string> broken_sentences(const Choices& choices, const std::string& file);

/// Columns configuration, size, time_s: what `orrery allocate --times` reads. Empty where the kernel's size is unknown.
std::string times_csv(const ScenarioResult& result, const Scenario& scenario);

}  // namespace orrery::study
