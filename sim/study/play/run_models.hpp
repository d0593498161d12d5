/// Models of whole runs: fitted to the times of some points, they predict the times of the others.
///
///   const RunModels models(scenario, points);                // refuses points that do not determine the others
///   const FittedRunModels fitted = models.fitted_to(times);  // after the points ran; may be repeated for other times
///   fitted.with(point, what_models_of_phases_say)
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/model.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/study/judge/choices.hpp"
#include "sim/study/read/loaded_points.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

/// Times of a run; empty for one that failed.
struct RunTimes {
  Seconds makespan, compared;
};

/// Whether some model is fitted to whole runs.
bool asks_models_of_runs(const Scenario& scenario);

/// A model, and the points it is fitted to.
struct RunModelAsked {
  const ModelSpec* spec;
  std::vector<bool> fitted;  ///< [points]
};

/// Contents of a prediction of a whole run: with terms and notes, or the time alone.
enum class Said { all, time };

class FittedRunModels {
 public:
  /// One prediction per entry of the scenario's `models`: `of_phases` as given, those of whole runs, and the scenario's
  /// own predictions.
  std::vector<Prediction> with(std::size_t point, std::vector<Prediction> of_phases, Said said = Said::all) const;
  /// Why a model predicts nothing: the runs that it is fitted to failed.
  const std::vector<std::string>& notes() const { return notes_; }

 private:
  friend class RunModels;
  struct Ready {
    const RunModelAsked* asked;
    std::unique_ptr<RunModel> model;  ///< null: it could not be fitted
  };

  FittedRunModels(const Scenario& scenario, std::span<const PredictionInput> runs) : scenario_(scenario), runs_(runs) {}

  const Scenario& scenario_;
  std::span<const PredictionInput> runs_;
  std::vector<Ready> models_;
  std::vector<std::string> notes_;
};

class RunModels {
 public:
  /// Checks for every such model that the runs for its fit determine the others. If there are such models, the points
  /// keep all that they load, and must outlive this.
  RunModels(const Scenario& scenario, const LoadedPoints& points);

  /// times  [points of the scenario]; these models must outlive the result.
  FittedRunModels fitted_to(std::span<const std::optional<RunTimes>> times) const;

 private:
  void check(const RunModelAsked& model, const std::vector<bool>& fitted) const;

  const Scenario& scenario_;
  std::vector<PredictionInput> runs_;  ///< [points of the scenario]; empty without such models
  std::vector<RunModelAsked> models_;
};

/// [points] times of the runs; empty for those that failed.
std::vector<std::optional<RunTimes>> run_times(const ScenarioResult& result);

/// Fits the models of runs to other makespans; models of phases keep their predictions. All arguments must outlive the
/// returned function.
Refit refit_of(const ScenarioResult& result, const Scenario& scenario, const RunModels& run_models);

}  // namespace orrery::study
