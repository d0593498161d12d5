/// The energy of the nodes of a run, from the activities of their ranks over time.
///
///   P(t) = sum over nodes of idle + sum over ranks of what they add + adapters + switches
///
/// | adds                | while                                                                             |
/// |---------------------|-----------------------------------------------------------------------------------|
/// | a rank on cores     | it computes: (computing - idle) x its share of the node's cores; else it sends,   |
/// |                     | receives or waits in an MPI call: (communicating - idle) x the same               |
/// | a rank on a GPU     | the same of the GPU; the core that drives it is in calls all the time             |
/// | ranks that share    | cores or a GPU: those that compute, in proportion to how long, so that no core is |
/// |                     | counted twice; one that only passes messages on adds nothing beside them          |
/// | adapters            | (busy - idle) x the mean load of their two directions                             |
///
/// Source   platforms/power_fields.cpp says what a platform states.
/// Differs  ranks that share a core add the same whether the others compute at that moment or wait.
/// Checked  tests/replay/energy_test.cpp
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "platforms/routes.hpp"
#include "sim/core/replay_result.hpp"
#include "sim/engine/activity_shares.hpp"
#include "sim/engine/engine.hpp"

namespace orrery::engine {

class PowerMeter {
 public:
  /// Null if the platform gives no power.
  static std::unique_ptr<PowerMeter> of(const ReplayInput& input, const Routes& routes);

  /// `phase`: the number of its name.
  void interval(Rank rank, Activity activity, std::uint32_t phase, double begin, double end) {
    const std::uint32_t of_class = ranks_[index(rank)].of_class;
    in_phase(phase).seconds[of_class][static_cast<std::size_t>(activity)] += end - begin;
    classes_[of_class].shares.add(activity, begin, end);
  }
  /// A rank leaves a phase that it entered at `begin`.
  void phase(Rank rank, std::uint32_t phase, double begin, double end) {
    in_phase(phase).idle_j += ranks_[index(rank)].idle_w * (end - begin);
  }

  /// Call after the end of the run: the loads of its adapters are then known.
  Energy result(const RunResult& run, const std::vector<std::string>& phase_names) const;

 private:
  PowerMeter(const ReplayInput& input, const Routes& routes);

  using ByActivity = std::array<double, activities>;
  /// Ranks with the same added power and the same number of earlier ranks on their host.
  struct Class {
    ByActivity cores_w{}, gpu_w{};  ///< W added by one that shares nothing
    std::uint32_t position = 0, ranks = 0;
    ActivityShares shares = {};
  };
  struct OfRank {
    std::uint32_t of_class = 0;
    double idle_w = 0.0;  ///< its share of its node's idle power
  };
  struct InPhase {
    std::vector<ByActivity> seconds;  ///< [classes]
    double idle_j = 0.0;
  };
  struct AdapterLoad;

  std::uint32_t class_of(const ByActivity& cores_w, const ByActivity& gpu_w, std::uint32_t position);
  InPhase& in_phase(std::uint32_t phase) {
    if (phase >= phases_.size()) phases_.resize(phase + 1, {std::vector<ByActivity>(classes_.size()), 0.0});
    return phases_[phase];
  }
  std::vector<double> parts() const;
  static AdapterLoad adapter_load(const RunResult& run, double adapters);
  std::vector<double> power(const RunResult& run, const std::vector<double>& parts, const AdapterLoad& load) const;

  const Platform& platform_;
  const Layout& layout_;
  std::vector<OfRank> ranks_;
  std::vector<Class> classes_;
  std::vector<InPhase> phases_;  ///< [names of phases]
  double adapters_ = 0.0;        ///< number of adapters
  double idle_w_ = 0.0, adapters_w_ = 0.0, adapters_busy_w_ = 0.0, switches_w_ = 0.0;
  std::uint32_t nodes_ = 0;
};

}  // namespace orrery::engine
