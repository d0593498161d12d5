/// The catalogue of analytic models: what each is, what a scenario may choose, how it gets its parameters.
///
///   a model with parameters   `plan` names micro-benchmarks (kernels) that `orrery calibrate` runs on an engine, `fit`
///                             turns their times into tables a person can read, edit and plot
///   a model without           leaves `plan` and `fit` out: it has all it needs in ModelInput
///   a model of whole runs     has `check_runs` and `fit_runs` instead of `make`: a scenario says which of its points
///                             it is fitted to (`fit-on`), and once those are played it predicts the others
///
/// models/prediction.hpp says what a model is asked.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "models/prediction.hpp"
#include "platforms/description.hpp"
#include "sim/core/catalogue.hpp"
#include "sim/core/model_parameters.hpp"
#include "sim/core/parameters.hpp"

namespace orrery {

/// A core of the cluster. Those of a node are numbered socket by socket.
struct CorePlace {
  NodeId node{};
  std::uint32_t core = 0;

  bool operator==(const CorePlace&) const = default;
};

/// One experiment of a calibration: a micro-benchmark, each of its ranks on a core of its own unless two are named
/// alike.
struct Experiment {
  std::string id;      ///< unique in the plan; labels of the resulting series
  std::string kernel;  ///< "ring", "pingpong", "overhead"
  std::vector<std::pair<std::string, std::string>> kernel_parameters;
  std::vector<CorePlace> placement;  ///< [ranks]
};

/// Times of one experiment, by message size: what the benchmark would have printed (per repetition, mean).
struct Measurement {
  std::string id;
  std::vector<std::pair<Bytes, Seconds>> times;
};

/// What a model must have measured to predict a run.
struct CalibrationNeeds {
  std::uint32_t concurrency = 1;  ///< most transmissions of one channel at once
  std::vector<std::vector<CorePlace>> jobs =
      {};  ///< where the processes of whole runs lie, for models that measure those
};

/// What a calibration tells apart: pairs of node types, or of nodes or cores, for models that keep matrices.
enum class CalibrationPairs : std::uint8_t { types, nodes, cores };

struct CalibrationRange {
  std::vector<Bytes> sizes;       ///< ascending
  std::uint32_t concurrency = 8;  ///< greatest tau needed
  CalibrationPairs pairs = CalibrationPairs::types;
  std::vector<std::vector<CorePlace>> jobs = {};  ///< as needed; empty: what the model thinks fit
};

/// A matrix that a model understands among its parameters.
struct MatrixDescription {
  std::string name, unit;
  std::vector<MatrixRows> rows;  ///< what it may be counted in
  std::string summary;           ///< one line
};

/// What a model is made of. Refers to what its owner keeps for as long as the model lives.
struct ModelInput {
  const Platform& platform;
  const Network& network;
  const std::string& variant;         ///< mode and options as models/variant.hpp writes them; "" for the default
  const ModelParameters& parameters;  ///< as calibrated; without tables when the entry has no plan
};

struct ModelEntry {
  std::string name;     ///< = file name
  std::string summary;  ///< one line
  std::string source;
  std::string page = {};                 ///< formula and parameters with units, shown by `orrery show model NAME`
  std::vector<std::string> assumptions;  ///< what the report prints under 'assumes'
  /// What its times of phases have of computation, in a few words; empty: messages alone, and what collectives do beside.
  std::string computation = {};
  std::vector<std::string> modes = {""};  ///< taulop: timeline, algebra; the first is the default
  std::vector<Key> options = {};          ///< choices besides the mode, such as tau-Lop's `overhead`; a text: any word
  std::vector<MatrixDescription> matrices = {};                        ///< any other in a parameter file is refused
  std::function<CalibrationNeeds(const PredictionInput&)> needs = {};  ///< empty: nothing but the default
  std::function<std::vector<Experiment>(const Platform&, const Network&, const CalibrationRange&)> plan = {};
  std::function<ModelParameters(const Platform&, const Network&, const CalibrationRange&,
                                const std::vector<Measurement>&)>
      fit = {};
  std::function<std::unique_ptr<PhaseModel>(const ModelInput&)> make = {};
  /// Throws InputError or DomainError when the runs `fitted` cannot tell the times of `asked`: before anything is
  /// played.
  std::function<void(const std::string& variant, std::span<const PredictionInput> fitted,
                     std::span<const PredictionInput> asked)>
      check_runs = {};
  std::function<std::unique_ptr<RunModel>(const std::string& variant, std::span<const TimedRun>)> fit_runs = {};

  bool calibrated() const { return static_cast<bool>(plan); }
  bool fitted_to_runs() const { return static_cast<bool>(fit_runs); }
};

Catalogue<ModelEntry>& models();

/// entry.make, after the matrices among the parameters have been checked. Throws InputError where one is of no use.
std::unique_ptr<PhaseModel> make_phase_model(const ModelEntry& entry, const ModelInput& input);

}  // namespace orrery
