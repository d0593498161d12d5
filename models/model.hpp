/// An analytic model: a phase and measured parameters in, seconds out. Pure; never sees an engine.
///
/// Parameters are measured by micro-benchmarks (kernels) that `orrery calibrate` runs on an engine, following the
/// model's `plan`; `fit` turns the measurements into tables a person can read, edit and plot.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/catalogue.hpp"
#include "sim/core/layout.hpp"
#include "sim/core/model_parameters.hpp"
#include "sim/core/parameters.hpp"
#include "sim/core/phase.hpp"

namespace orrery {

/// One experiment of a calibration: a micro-benchmark with `ranks` placed on nodes by type.
struct Experiment {
  std::string id;      ///< unique in the plan; labels of the resulting series
  std::string kernel;  ///< "ring", "pingpong", "overhead"
  std::vector<std::pair<std::string, std::string>> kernel_parameters;
  std::vector<NodeId> placement;  ///< [ranks] node of each; one core each, in order of free cores
};

/// Times of one experiment, by message size: what the benchmark would have printed (per repetition, mean).
struct Measurement {
  std::string id;
  std::vector<std::pair<Bytes, Seconds>> times;
};

struct CalibrationRange {
  std::vector<Bytes> sizes;       ///< ascending
  std::uint32_t concurrency = 8;  ///< greatest tau needed
};

/// One term of a prediction, in words: "2 || T^0(116 blocks)" with its cost.
struct Explanation {
  std::string text;
  Seconds cost;
};

class PhaseModel {
 public:
  virtual ~PhaseModel() = default;
  /// Communication time of one repetition of the phase on this layout. `steps`, when given, receives the terms.
  virtual Seconds communication_time(const Phase& phase, const Layout& layout,
                                     std::vector<Explanation>* steps = nullptr) const = 0;
};

/// A choice besides the mode, such as tau-Lop's `overhead`.
struct ModelOption {
  std::string name, summary;
  std::vector<std::string> values;              ///< the first is what a mode takes unless `standard` says otherwise
  std::map<std::string, std::string> standard;  ///< by mode
};

struct ModelEntry {
  std::string name;     ///< = file name
  std::string summary;  ///< one line
  std::string source;
  std::string page = {};                  ///< formula and parameters with units, shown by `orrery show model NAME`
  std::vector<std::string> assumptions;   ///< what the report prints under 'assumes'
  std::vector<std::string> modes = {""};  ///< taulop: timeline, algebra; the first is the default
  std::vector<ModelOption> options = {};
  std::function<std::vector<Experiment>(const Platform&, const Network&, const CalibrationRange&)> plan;
  std::function<ModelParameters(const Platform&, const Network&, const CalibrationRange&,
                                const std::vector<Measurement>&)>
      fit;
  /// `variant`: mode and options as models/variant.hpp writes them; "" for the default.
  std::function<std::unique_ptr<PhaseModel>(const ModelParameters&, const Platform&, const std::string& variant)> make;
};

Catalogue<ModelEntry>& models();

}  // namespace orrery
