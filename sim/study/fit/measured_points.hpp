/// The measured points of scenarios, simulated with changed parameters of their platform, as a fit repeats it. Results
/// are cached for each point by the parameters that affect it.
///
/// A measured time is that of a point, or of many points together: a total as in `runs` of `choose.average`.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/engine/batch.hpp"
#include "sim/study/fit/platform_parameters.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

struct PlayedPoint {
  std::size_t scenario = 0;
  PointSpec spec;
  bool of_run = false;     ///< the whole run, else the compared phase
  bool of_metric = false;  ///< the scenario's metric (measured_times.hpp) instead of the phase
  std::string label;
  ParameterUses uses = {};
};

/// A measured time: of one point, or of several that run one after another.
struct MeasuredTime {
  Seconds measured;
  std::vector<std::size_t> points;  ///< of MeasuredScenarios
  std::string label, where;         ///< where: the row of its time, the entry of its total
};

/// Scenarios that all use one platform and one network.
struct MeasuredScenarios {
  std::vector<Scenario> scenarios;
  std::vector<PlayedPoint> points;
  std::vector<MeasuredTime> times;
  std::vector<std::string> notes;  ///< rows left out of the fit, and doubts about what their times are
  std::string platform_file, network;
  PlatformSpec platform;  ///< with the changes of the scenarios
};

/// Reads the scenarios. `platform` and `network`, if not empty, replace theirs; `overrides` are those of --set. Throws
/// InputError for a scenario without measured times, and for points of several platforms or networks.
MeasuredScenarios read_measured(const std::vector<std::string>& files, const std::string& platform,
                                const std::string& network, const std::vector<std::string>& overrides = {});

class MeasuredSimulator {
 public:
  /// Values of the parameters are in this order. `document`, `machine` and `measured` must outlive this.
  MeasuredSimulator(MeasuredScenarios& measured, const config::Document& document, const FittedMachine& machine,
                    std::vector<const PlatformParameter*> parameters, unsigned jobs);

  /// Simulated times for these measured times, in their order. `poll` may stop it: Interrupted.
  std::vector<Seconds> times(const std::vector<std::size_t>& of, const std::vector<double>& values,
                             const std::function<bool()>& poll = {});
  /// The same for points; a point may be named several times.
  std::vector<Seconds> of_points(const std::vector<std::size_t>& points, const std::vector<double>& values,
                                 const std::function<bool()>& poll = {});
  std::size_t simulations() const { return simulations_; }
  /// Whether any of the points depends on the parameter.
  bool matters(std::size_t parameter) const;

 private:
  using Known = std::map<std::vector<double>, Seconds>;  ///< by the values that affect the point
  std::vector<double> key(std::size_t point, const std::vector<double>& values) const;
  void play(const std::vector<std::size_t>& points, const std::vector<double>& values,
            const std::function<bool()>& poll);
  RunResult played(const PlayedPoint& point, const std::shared_ptr<const Platform>& platform,
                   const ReplayProgress& tell);

  MeasuredScenarios& measured_;
  const config::Document& document_;
  const FittedMachine& machine_;
  std::vector<const PlatformParameter*> parameters_;
  unsigned jobs_;
  std::vector<Known> known_;  ///< [points]
  std::size_t simulations_ = 0;
};

/// Fills in the parameters that points use. Returns the platform, the network and the node types of cores and GPUs.
FittedMachine see_points(MeasuredScenarios& measured, const Platform& platform, const Network& network);

}  // namespace orrery::study
