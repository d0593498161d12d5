/// Predictions: the parameters of each model for each network, and every model's time for a run.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "models/model.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::app {

class KeptMeasurements;

/// What a played run took; nothing for one that failed.
struct RunTimes {
  Seconds makespan, compared;
};

/// Of what models were measured on: a platform with figures changed has the file of the shipped one and another name.
inline std::string identity_of(const Platform& platform) { return platform.file + " " + platform.name; }

class Predictor {
 public:
  /// `kept`: where what models are measured with is looked for and kept; null: nowhere. It outlives the predictor.
  Predictor(const Scenario& scenario, unsigned jobs, bool progress, KeptMeasurements* kept = nullptr)
      : scenario_(scenario), jobs_(jobs), progress_(progress), kept_(kept) {}

  /// Before the points are played, for each of them: what models must be measured for on its network.
  /// Tells how many iterations it has read where a model needs to know them all.
  void see(const LoadedPoint& point, const std::function<void(std::uint64_t)>& tell = {});
  /// Once all were seen: reads or measures the parameters of every model on every network, and asks models of whole
  /// runs whether those they will be fitted to can tell the others.
  ///   runs  [points of the scenario], or none without models of whole runs; what they refer to outlives the predictor
  void prepare(std::span<const PredictionInput> runs);

  bool of_phases() const;  ///< some model looks at phases
  bool of_runs() const;    ///< some model is fitted to whole runs

  /// What the models of phases say, in the order of the scenario. Changes nothing: in children, or on any thread.
  std::vector<Prediction> predict(const PredictionInput& run) const;
  /// A word that differs where any of those models, its options or its parameters does.
  std::string made_with(const std::string& platform, const std::string& network) const;

  /// After the points are played: fits the models of whole runs. A model whose fitted runs failed predicts nothing;
  /// `notes` say why.
  ///   times  [points of the scenario]
  void fit(std::span<const std::optional<RunTimes>> times);
  /// One prediction per entry of `models`: those of phases as `predict` gave them, those of whole runs, and what a
  /// scenario's own predictions say.
  std::vector<Prediction> with_runs(std::size_t point, std::vector<Prediction> of_phases) const;

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
  using Key = std::pair<std::string, std::string>;  ///< identity_of the platform, network
  /// A network that some point uses.
  struct Seen {
    std::shared_ptr<const Platform> platform;
    const Network* network = nullptr;
    CalibrationNeeds needs;  ///< of all points on it
  };

  std::vector<const ModelEntry*> entries() const;
  std::vector<const ModelEntry*> calibrated_entries() const;
  std::vector<OfPhases> phase_models(const Seen& seen);
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
  KeptMeasurements* kept_;
  std::span<const PredictionInput> runs_;
  std::map<Key, std::size_t> number_of_;  ///< of the network among those seen
  std::vector<Seen> seen_;                ///< in order of appearance
  std::map<Key, std::vector<OfPhases>> of_phases_;
  std::map<Key, std::string> made_with_;
  std::vector<OfRuns> of_runs_;
  std::vector<ModelParameters> parameters_;
  std::vector<std::string> notes_;
};

}  // namespace orrery::app
