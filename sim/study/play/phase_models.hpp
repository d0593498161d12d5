/// Models of phases, with parameters read from files or measured for each network of the points.
///
///   ModelNeeds needs(scenario);  needs.see(point) ...         // of every point, before any is played
///   const PhaseModels models(scenario, needs, {.engine = "flow"});   // reads or measures: may take long
///   models.predict(run)
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/model.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

class KeptMeasurements;

/// Identity of the measured platform: a platform with changed parameters has the shipped one's file and another name.
inline std::string identity_of(const Platform& platform) { return platform.file + " " + platform.name; }

/// The networks of the points, and what must be measured on each for the models.
class ModelNeeds {
 public:
  struct OfNetwork {
    std::shared_ptr<const Platform> platform;
    const Network* network = nullptr;
    CalibrationNeeds needs;  ///< of all points on it
  };

  explicit ModelNeeds(const Scenario& scenario) : scenario_(scenario) {}

  /// `tell` gets the number of iterations read, if a model needs to read them all.
  void see(const LoadedPoint& point, const std::function<void(std::uint64_t)>& tell = {});
  const std::vector<OfNetwork>& networks() const { return networks_; }  ///< in order of appearance

 private:
  const Scenario& scenario_;
  std::map<std::pair<std::string, std::string>, std::size_t> number_of_;  ///< by identity_of the platform, network
  std::vector<OfNetwork> networks_;
};

/// Whether some model uses phases.
bool asks_models_of_phases(const Scenario& scenario);

class PhaseModels {
 public:
  struct Options {
    std::string engine;  ///< on which models are measured
    unsigned jobs = 1;
    bool progress = false;
    KeptMeasurements* kept = nullptr;  ///< store that measurements are read from and written to; null: none
  };

  /// Throws the errors of a calibration.
  PhaseModels(const Scenario& scenario, const ModelNeeds& needs, const Options& options);

  bool empty() const { return networks_.empty(); }
  /// In the order of the scenario. Changes nothing: callable in children, or on any thread.
  std::vector<Prediction> predict(const PredictionInput& run) const;
  /// A text that differs if any of those models, its options or its parameters differs.
  std::string models_id(const std::string& platform, const std::string& network) const;
  /// Every parameter set in use, in order of preparation.
  const std::vector<ModelParameters>& parameters() const { return parameters_; }

 private:
  /// A model with its mode and options, ready to predict runs on one network.
  struct Ready {
    const ModelEntry* entry;
    std::string variant;
    std::unique_ptr<PhaseModel> model;
  };
  struct OfNetwork {
    std::shared_ptr<const Platform> platform;  ///< referred to by the models
    std::vector<Ready> models;
    std::string models_id;
  };

  OfNetwork ready_on(const Scenario& scenario, const ModelNeeds::OfNetwork& network, const Options& options);

  std::map<std::pair<std::string, std::string>, OfNetwork> networks_;  ///< by identity_of the platform, network
  std::vector<ModelParameters> parameters_;
};

}  // namespace orrery::study
