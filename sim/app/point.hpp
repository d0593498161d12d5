/// A point of a scenario with everything loaded: what an engine plays and a model predicts.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "platforms/description.hpp"
#include "sim/app/scenario.hpp"
#include "sim/core/compute_model.hpp"
#include "sim/core/phase.hpp"
#include "sim/core/program.hpp"
#include "sim/replay/engine.hpp"

namespace orrery::app {

struct LoadedPoint {
  std::shared_ptr<const Platform> platform;
  const Network* network = nullptr;
  Layout layout;
  std::shared_ptr<const Partition> partition;  ///< null when the kernel needs none
  std::unique_ptr<Program> program;
  std::unique_ptr<ComputeModel> compute;
  std::string compared_phase;
  std::string id;  ///< hash of everything that determines the point

  ReplayInput replay_input(const ReplayOptions& options) const;
};

/// Loads points; a platform file that several points name is read once.
class PointLoader {
 public:
  /// `folder`: of the scenario file, for files it names.
  explicit PointLoader(std::string folder) : folder_(std::move(folder)) {}

  LoadedPoint load(const PointSpec& spec);

 private:
  std::shared_ptr<const Platform> platform(const PointSpec& spec);
  Layout layout(const LayoutSpec& spec, const Platform& platform) const;
  std::shared_ptr<const Partition> partition(const PointSpec& spec, const LoadedPoint& point, const Parameters& kernel,
                                             const GridSize& grid) const;

  std::string folder_;
  std::map<std::string, std::shared_ptr<const Platform>> platforms_;
};

/// "xeon12-0" for every node of the platform: its type and its number within the type.
std::vector<std::string> node_names(const Platform& platform);

}  // namespace orrery::app
