/// Models of whole runs: fitted to the times of some points, they say what the others take.
///
///   const RunModels models(scenario, runs);                  // refuses points that cannot tell the others
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
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

/// What a played run took; nothing for one that failed.
struct RunTimes {
  Seconds makespan, compared;
};

/// Whether some model is fitted to whole runs.
bool asks_models_of_runs(const Scenario& scenario);

/// A model with its mode and options, and the points it is fitted to.
struct RunModelAsked {
  const ModelSpec* spec;
  const ModelEntry* entry;
  std::string variant;
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
  ///   runs  [points of the scenario], or none without models of whole runs; what they refer to outlives this
  RunModels(const Scenario& scenario, std::span<const PredictionInput> runs);

  /// times  [points of the scenario]; these models outlive the answer.
  FittedRunModels fitted_to(std::span<const std::optional<RunTimes>> times) const;

 private:
  void check(const RunModelAsked& model, const std::vector<bool>& fitted) const;

  const Scenario& scenario_;
  std::span<const PredictionInput> runs_;
  std::vector<RunModelAsked> models_;
};

}  // namespace orrery::study
