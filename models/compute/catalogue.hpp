/// Compute models: how long a compute step takes on the host of a rank. One catalogue entry per .cpp of this folder.
///
///   const auto& entry = compute_models().at("constant", where);
///   auto model = entry.make(platform, layout, Parameters(entry.parameters));
///
/// Time-sharing of cores by more ranks than cores is the engine's: a model answers for a rank alone on its cores.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/catalogue.hpp"
#include "sim/core/compute_model.hpp"
#include "sim/core/parameters.hpp"

namespace orrery {

struct ComputeModelEntry {
  std::string name;     ///< = file name
  std::string summary;  ///< one line
  std::string source;
  std::vector<ParameterDescription> parameters;
  std::function<std::unique_ptr<ComputeModel>(const Platform&, const Layout&, const Parameters&)> make;
};

Catalogue<ComputeModelEntry>& compute_models();

/// Speed of each rank on its cores or GPU at peak: cores * core speed, or the GPU's speed.  [ranks]
std::vector<FlopsPerSecond> peak_speeds(const Platform& platform, const Layout& layout);

/// Speed of each rank for one piece of work, as a partitioner takes them: flops / compute time.  [ranks]  flop/s
std::vector<double> process_speeds(const ComputeModel& model, const Layout& layout, const Compute& work);

/// The same at peak, for partitioning before any compute model is chosen.  [ranks]  flop/s
std::vector<double> process_speeds(const Platform& platform, const Layout& layout, Work work);

}  // namespace orrery
