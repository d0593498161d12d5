/// Predictions: the parameters of each model for each network, and every model's time for a point.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "models/model.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/scenario/point.hpp"
#include "sim/scenario/scenario.hpp"

namespace orrery::app {

/// Most transmissions of one channel that any stage of a compared phase can have under way at once.
std::uint32_t greatest_concurrency(const std::vector<Phase>& phases, const std::string& compared, const Layout& layout);

class Predictor {
 public:
  Predictor(const Scenario& scenario, unsigned jobs, bool progress)
      : scenario_(scenario), jobs_(jobs), progress_(progress) {}

  /// Reads or measures the parameters of every model on this network. Later calls for the same network do nothing.
  void prepare(const std::shared_ptr<const Platform>& platform, const Network& network, std::uint32_t concurrency);

  /// One prediction per entry of `models`: the sum over the compared phases of repeat * time.
  std::vector<Prediction> predict(const LoadedPoint& point, const std::vector<Phase>& phases) const;

  /// Every parameter set in use, in order of preparation.
  std::vector<ModelParameters> parameters() const;
  std::vector<ModelDescription> descriptions() const;

 private:
  struct Ready {
    std::string label_model, mode;
    std::unique_ptr<PhaseModel> model;
  };
  using Key = std::pair<std::string, std::string>;  ///< the platform's file, network

  std::vector<const ModelEntry*> entries() const;
  std::vector<ModelParameters> from_files(const Platform& platform, const Network& network) const;
  std::vector<ModelParameters> from_engine(const Platform& platform, const Network& network,
                                           std::uint32_t concurrency) const;

  const Scenario& scenario_;
  unsigned jobs_;
  bool progress_;
  std::vector<std::shared_ptr<const Platform>> platforms_;  ///< kept alive: models refer to them
  std::map<Key, std::vector<Ready>> ready_;
  std::vector<ModelParameters> parameters_;
};

}  // namespace orrery::app
