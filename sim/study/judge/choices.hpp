/// The layout that each model would choose for a size, and the cost of following that choice.
///
///   epsilon = (t - T) / T          delta = (e - t) / t
///
///   T  s  simulated time of the layout that is best          t  s  simulated time of the layout chosen
///   e  s  time that the model expects of the layout chosen: the least it expects of any
///
/// Points that differ only in their layout share a size. Runs that a model was fitted to count like others, because a
/// user chooses among them, too. A model does not choose a layout that it predicts nothing for.
///
/// With `scatter` all models are fitted again to times t exp(r z) of every run, with spread r and standard normal z,
/// and judged by these times, as for real measurements: epsilon is then the mean over the random samples.
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
  std::string over = {};  ///< its sizes, "N = 4800 to 9600"; empty: all
  std::size_t sizes = 0;
  double epsilon = 0.0, delta_magnitude = 0.0;        ///< means of epsilon and of |delta|
  struct Draws {                                      ///< of randomized times; `epsilon` is their mean
    double exact = 0.0, least = 0.0, greatest = 0.0;  ///< epsilon without randomization; range over the samples
  };
  std::optional<Draws> draws = {};
  std::optional<double> published, at_least, at_most;
  double runs_s = 0.0;  ///< simulated time of the runs that it was fitted to, if a published time is given
  std::optional<double> published_runs_s, runs_mu;
  std::string why;
  bool is_model = false;
};

/// Number of sizes at which the best configuration is the one in a paper.
struct Agreement {
  std::size_t stated = 0, same = 0;
  double epsilon = 0.0;  ///< mean, for the paper's choices
  std::optional<std::uint32_t> at_least;
  std::optional<double> within = {};  ///< of `epsilon`
  std::string why = {};
};

/// A table in the form of a run: a point for each size, with the time of the best layout as `simulated`, its name as
/// setting 'best' and, for each model, the time of its choice as a prediction: its relative error is epsilon. Notes
/// name the choices, a metric "delta of ..." has the model's expectation, and notes of the whole explain the averages.
struct Choices {
  ScenarioResult table;
  std::vector<AverageChoice> averages;  ///< over all sizes, then over those named in the scenario
  std::optional<Agreement> agreement = {};
};

/// [points] predictions of the models, fitted to these makespans [points].
using Refit = std::function<std::vector<std::vector<Prediction>>(const std::vector<Seconds>&)>;

/// Indices of the points that make up a published total: those that its model is fitted to.
std::vector<std::size_t> runs_of_total(const ChooseSpec::Average& average, const Scenario& scenario);
/// Of points [as in the scenario]; with `scatter` and `refit` averages are over its random samples. Throws InputError
/// if an average names a model that the scenario does not have, or if no point meets `at`.
Choices choices_of(const ScenarioResult& result, const Scenario& scenario, const Refit& refit = {});
/// Replaces averages over the simulated times by averages over the random samples of `scatter`.
void scatter_averages(std::vector<AverageChoice>& averages, const ScenarioResult& result, const Scenario& scenario,
                      const Refit& refit);

/// Whether a prediction of the table is for a fixed configuration that no model chooses.
inline bool asks_nobody(const std::string& label) { return label.starts_with('('); }

/// One sentence for each bound of it that is broken.
std::vector<std::string> broken_sentences(const AverageChoice& average, const std::string& file);
std::vector<std::string> broken_sentences(const Choices& choices, const std::string& file);

/// Columns configuration, size, time_s: input of `orrery allocate --times`. Empty if the kernel's size is unknown.
std::string times_csv(const ScenarioResult& result, const Scenario& scenario);

}  // namespace orrery::study
