/// Predictions: the parameters of each model for each network, and every model's time for a run.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/model.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/scenario/scenario.hpp"

namespace orrery::app {

/// What a played run took; nothing for one that failed.
struct RunTimes {
  Seconds makespan, compared;
};

class Predictor {
 public:
  Predictor(const Scenario& scenario, unsigned jobs, bool progress)
      : scenario_(scenario), jobs_(jobs), progress_(progress) {}

  /// Before the points are played: reads or measures the parameters of every model on every network, and asks models of
  /// whole runs whether those they will be fitted to can tell the others.
  ///   runs  [points of the scenario]  what they refer to outlives the predictor
  void prepare(std::span<const PredictionInput> runs);

  /// After: fits the models of whole runs. A model whose fitted runs failed predicts nothing; `notes` say why.
  ///   times  [points of the scenario]
  void fit(std::span<const std::optional<RunTimes>> times);

  /// One prediction per entry of `models`.
  std::vector<Prediction> predict(std::size_t point) const;

  /// Every parameter set in use, in order of preparation.
  std::vector<ModelParameters> parameters() const;
  std::vector<ModelDescription> descriptions() const;
  std::vector<std::string> notes() const { return notes_; }

 private:
  /// A model with its mode and options, ready to predict runs on one network, or all runs once it is fitted.
  struct OfPhases {
    const ModelSpec* spec;
    const ModelEntry* entry;
    std::string variant;
    std::unique_ptr<PhaseModel> model;
  };
  struct OfRuns {
    const ModelSpec* spec;
    const ModelEntry* entry;
    std::string variant;
    std::vector<bool> fitted;  ///< [points]
    std::unique_ptr<RunModel> model = nullptr;
  };
  using Key = std::pair<std::string, std::string>;  ///< the platform's file, network
  static Key key_of(const PredictionInput& run);

  std::vector<const ModelEntry*> entries() const;
  std::vector<const ModelEntry*> calibrated_entries() const;
  CalibrationNeeds needs(const PredictionInput& run) const;
  std::vector<OfPhases> phase_models(const PredictionInput& run);
  std::vector<OfRuns> run_models() const;
  void check(const OfRuns& model, const std::vector<bool>& fitted) const;
  std::vector<ModelParameters> parameters_for(const Platform& platform, const Network& network,
                                              const CalibrationNeeds& needs) const;
  std::vector<ModelParameters> from_files(const Platform& platform, const Network& network) const;
  std::vector<ModelParameters> from_engine(const Platform& platform, const Network& network,
                                           const CalibrationNeeds& needs) const;

  const Scenario& scenario_;
  unsigned jobs_;
  bool progress_;
  std::span<const PredictionInput> runs_;
  std::map<Key, std::vector<OfPhases>> of_phases_;
  std::vector<OfRuns> of_runs_;
  std::vector<ModelParameters> parameters_;
  std::vector<std::string> notes_;
};

}  // namespace orrery::app
