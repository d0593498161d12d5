/// The catalogue of analytic models: the description of each, its options for a scenario, the source of its parameters.
///
///   a model with parameters   `plan` names micro-benchmarks (kernels) that `orrery calibrate` runs on an engine, `fit`
///                             turns their times into tables a person can read, edit and plot
///   a model without           leaves `plan` and `fit` out: ModelInput has everything it needs
///   a model of whole runs     has `check_runs` and `fit_runs` in place of `make`: a scenario selects the points for
///                             its fit (`fit-on`), and once these have run it predicts the others
///
/// models/prediction.hpp defines the input and output of a model.
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

/// One experiment of a calibration: a micro-benchmark, each of its ranks on its own core unless two places are equal.
struct Experiment {
  std::string id;      ///< unique in the plan; labels of the resulting series
  std::string kernel;  ///< "ring", "pingpong", "overhead"
  std::vector<std::pair<std::string, std::string>> kernel_parameters;
  std::vector<CorePlace> placement;  ///< [ranks]
};

/// Times of one experiment, by message size, as the benchmark would print them (per repetition, mean).
struct Measurement {
  std::string id;
  std::vector<std::pair<Bytes, Seconds>> times;
};

/// Measurements that a model needs to predict a run.
struct CalibrationNeeds {
  std::uint32_t concurrency = 1;  ///< maximum simultaneous transmissions of one channel
  std::vector<std::vector<CorePlace>> jobs =
      {};  ///< places of the processes of whole runs, for models that measure these
};

/// What a calibration distinguishes: pairs of node types, or of nodes or cores, for models with matrices.
enum class CalibrationPairs : std::uint8_t { types, nodes, cores };

struct CalibrationRange {
  std::vector<Bytes> sizes;       ///< ascending
  std::uint32_t concurrency = 8;  ///< largest tau needed
  CalibrationPairs pairs = CalibrationPairs::types;
  std::vector<std::vector<CorePlace>> jobs = {};  ///< as needed; empty: chosen by the model
};

/// A matrix that a model accepts among its parameters.
struct MatrixDescription {
  std::string name, unit;
  std::vector<MatrixRows> rows;  ///< permitted kinds of rows
  std::string summary;           ///< one line
};

/// Input of a model's constructor. Refers to objects that must outlive the model.
struct ModelInput {
  const Platform& platform;
  const Network& network;
  const std::string& variant;         ///< mode and options in the form of models/variant.hpp; "" for the default
  const ModelParameters& parameters;  ///< as calibrated; without tables if the entry has no plan
};

struct ModelEntry {
  std::string name;     ///< = file name
  std::string summary;  ///< one line
  std::string source;
  std::string page = {};                 ///< formula and parameters with units, shown by `orrery show model NAME`
  std::vector<std::string> assumptions;  ///< printed by the report under 'assumes'
  /// The computation in its times of phases, in a few words; empty: only messages, and the local work of collectives.
  std::string computation = {};
  std::vector<std::string> modes = {""};  ///< taulop: timeline, algebra; the first is the default
  std::vector<Key> options = {};          ///< other choices, such as tau-Lop's `overhead`; a text: any word
  std::vector<MatrixDescription> matrices = {};                        ///< others in a parameter file are refused
  std::function<CalibrationNeeds(const PredictionInput&)> needs = {};  ///< empty: only the default
  std::function<std::vector<Experiment>(const Platform&, const Network&, const CalibrationRange&)> plan = {};
  std::function<ModelParameters(const Platform&, const Network&, const CalibrationRange&,
                                const std::vector<Measurement>&)>
      fit = {};
  std::function<std::unique_ptr<PhaseModel>(const ModelInput&)> make = {};
  /// Throws InputError or DomainError if the runs `fitted` do not determine the times of `asked`: called before any
  /// simulation.
  std::function<void(const std::string& variant, std::span<const PredictionInput> fitted,
                     std::span<const PredictionInput> asked)>
      check_runs = {};
  std::function<std::unique_ptr<RunModel>(const std::string& variant, std::span<const TimedRun>)> fit_runs = {};

  bool calibrated() const { return static_cast<bool>(plan); }
  bool fitted_to_runs() const { return static_cast<bool>(fit_runs); }
};

Catalogue<ModelEntry>& models();

/// entry.make, after checking the matrices among the parameters. Throws InputError if one is invalid.
std::unique_ptr<PhaseModel> make_phase_model(const ModelEntry& entry, const ModelInput& input);

}  // namespace orrery
