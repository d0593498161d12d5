/// Models of whole runs: fitted to the times of some points, they say what the others take.
///
///   const RunModels models(scenario, points);                // refuses points that cannot tell the others
///   const FittedRunModels fitted = models.fitted_to(times);  // once the points were played; to other times again
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

/// What a played run took; nothing for one that failed.
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

/// What a prediction of a whole run has: its terms and notes, too, or the time alone.
enum class Said { all, time };

class FittedRunModels {
 public:
  /// One prediction per entry of the scenario's `models`: those of phases as they are given, those of whole runs, and
  /// what the scenario's own predictions say.
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
  /// Asks every such model whether the runs it will be fitted to can tell the others.
  /// Where there are such models the points keep all that they load, and outlive this.
  RunModels(const Scenario& scenario, const LoadedPoints& points);

  /// times  [points of the scenario]; these models outlive the answer.
  FittedRunModels fitted_to(std::span<const std::optional<RunTimes>> times) const;

 private:
  void check(const RunModelAsked& model, const std::vector<bool>& fitted) const;

  const Scenario& scenario_;
  std::vector<PredictionInput> runs_;  ///< [points of the scenario]; none without such models
  std::vector<RunModelAsked> models_;
};

/// [points] what the runs took; nothing of those that failed.
std::vector<std::optional<RunTimes>> run_times(const ScenarioResult& result);

/// Fits the models of runs to other makespans; models of phases say what they said. All that is given outlives the
/// function returned.
Refit refit_of(const ScenarioResult& result, const Scenario& scenario, const RunModels& run_models);

}  // namespace orrery::study
