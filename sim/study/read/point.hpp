/// A point of a scenario with all its data: input for an engine and for models.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "models/prediction.hpp"
#include "platforms/description.hpp"
#include "sim/core/compute_model.hpp"
#include "sim/core/partition_rounds.hpp"
#include "sim/core/program.hpp"
#include "sim/engine/engine.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery {

struct LoadedPoint {
  std::shared_ptr<const Platform> platform;
  const Network* network = nullptr;
  Layout layout;
  std::shared_ptr<const Partition> partition;   ///< null when the kernel needs none
  std::vector<PartitionRound> rounds;           ///< of a partitioner that measured
  std::vector<std::string> partition_notes;     ///< findings of the partitioner
  std::shared_ptr<const Trace> trace;           ///< null if the kernel uses none
  std::shared_ptr<const StagePattern> pattern;  ///< null if the kernel has none
  std::unique_ptr<Program> program;
  std::unique_ptr<ComputeModel> compute;
  std::string compute_identity;  ///< every setting and parameter of the compute model
  bool compute_varies = false;   ///< its times depend on its seed
  bool compute_assumed = false;  ///< ComputeSetup::assumed
  std::int64_t compute_seed = 0;
  std::optional<std::uint64_t> placement_seed;  ///< of the random choice of these nodes and their order
  std::string kernel;
  Parameters parameters;                        ///< of the kernel
  std::map<std::string, std::string> settings;  ///< every value of the scenario by path, PointSpec::flat
  std::string compared_phase;
  Faulted what_if;                       ///< only the simulation has these faults
  bool staging_in_compute_model = true;  ///< PointSpec::staging_in_compute_model
  std::string id;                        ///< hash of everything that determines the point
  std::vector<Job> jobs;                 ///< if the point has several: `program` and `compute` are for all together
  std::vector<std::shared_ptr<const LoadedPoint>> of_jobs;  ///< [jobs] with separate layout, kernel and parameters

  /// The platform for the simulation, and its network.
  std::shared_ptr<const Platform> played_platform() const { return what_if.platform ? what_if.platform : platform; }
  const Network& played_network() const { return what_if.platform ? *what_if.network : *network; }

  ReplayInput replay_input(const ReplayOptions& options) const;
  PredictionInput prediction_input(std::span<const Phase> phases) const;
};

/// What tells the time of a point whose partition is a candidate: this model, or the flow engine if it is empty.
using TimeOfPoint =
    std::function<Seconds(const LoadedPoint& candidate, const PointSpec& spec, const std::string& model)>;

/// Loads points; a platform file of several points is read once.
class PointLoader {
 public:
  /// `folder`: of the scenario file, for files it names; `engine` becomes part of the points' ids. With `ignore_memory`
  /// programs that do not fit are loaded too. Without `time`, partitioners that time candidates throw.
  PointLoader(std::string folder, std::string engine, bool ignore_memory = false, TimeOfPoint time = {})
      : folder_(std::move(folder)), engine_(std::move(engine)), ignore_memory_(ignore_memory), time_(std::move(time)) {}

  LoadedPoint load(const PointSpec& spec);
  /// Loads only its platform, network and layout.
  LoadedPoint placed(const PointSpec& spec);
  /// From now on all points use this platform, whatever they name: for trying other parameters.
  void put_on(std::shared_ptr<const Platform> platform) { all_on_.platform = std::move(platform); }

 private:
  /// A platform, and the hash of its source.
  struct KnownPlatform {
    std::shared_ptr<const Platform> platform;
    std::string hash;
  };
  const KnownPlatform& platform(const PointSpec& spec);
  /// Loads platform, network, trace and layout; `complete` loads the rest.
  LayoutRow place(const PointSpec& spec, LoadedPoint& point);
  void complete(const PointSpec& spec, LoadedPoint& point);
  LoadedPoint load_jobs(const PointSpec& spec);  ///< load_jobs.cpp
  /// `ranks`: of the program, if its file gives them; 0 otherwise.
  LayoutRow layout_row(const LayoutSpec& spec, std::uint32_t ranks);
  std::shared_ptr<const Trace> trace(const Parameters& kernel, const NamedSpec& spec);
  std::shared_ptr<const StagePattern> pattern(const Parameters& kernel, const NamedSpec& spec) const;
  std::shared_ptr<const Partition> partition(const PointSpec& spec, const KernelEntry& kernel, LoadedPoint& point);
  std::string id_of(const PointSpec& spec, const LoadedPoint& point, const Parameters& kernel);

  std::string folder_, engine_;
  bool ignore_memory_;
  TimeOfPoint time_;
  std::map<std::string, KnownPlatform> platforms_;
  KnownPlatform all_on_;  ///< null: each point uses its own
  std::map<std::string, LayoutTable> tables_;
  std::map<std::string, std::shared_ptr<const Trace>> traces_;
  struct Timed {
    std::shared_ptr<const Partition> partition;
    std::vector<std::string> notes;
  };
  std::map<std::string, Timed> timed_;  ///< chosen by time; key: the point without its partition
};

/// Name and number within the type, for nodes up to the last one that the layout uses: "xeon12-0".  [nodes]
std::vector<std::string> node_names(const Platform& platform, const Layout& layout);

/// A kernel's or compute model's schema with the settings a file or the command line gives.
Parameters parameters_of(const std::vector<Key>& schema, const NamedSpec& spec);

}  // namespace orrery
