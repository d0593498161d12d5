/// What of scenarios was measured, simulated with other parameters of their platform: what a fit asks again and again. What
/// was simulated is remembered, for each point by the parameters that matter to it.
///
/// Measured is the time of a point, or of many points together: a total as `choose.average` has it in `runs`.
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

/// A time that was measured: of one point, or of several, one after the other.
struct MeasuredTime {
  Seconds measured;
  std::vector<std::size_t> points;  ///< of MeasuredScenarios
  std::string label, where;         ///< where: the row of its time, the entry of its total
};

/// Of scenarios that all are on one platform and one network.
struct MeasuredScenarios {
  std::vector<Scenario> scenarios;
  std::vector<PlayedPoint> points;
  std::vector<MeasuredTime> times;
  std::vector<std::string> notes;  ///< rows that are not fitted to, and what their times may be of
  std::string platform_file, network;
  PlatformSpec platform;  ///< as the scenarios change it
};

/// Reads the scenarios; with `platform` and `network`, unless they are empty, in place of their own, and `overrides`
/// of --set. Throws InputError for one without measured times, and for points of several platforms or networks.
MeasuredScenarios read_measured(const std::vector<std::string>& files, const std::string& platform,
                                const std::string& network, const std::vector<std::string>& overrides = {});

class MeasuredSimulator {
 public:
  /// Values of the parameters stand in this order. `document`, `machine` and `measured` outlive this.
  MeasuredSimulator(MeasuredScenarios& measured, const config::Document& document, const FittedMachine& machine,
                    std::vector<const PlatformParameter*> parameters, unsigned jobs);

  /// Simulated, of these of the measured times, in their order. `poll` may end it: Interrupted.
  std::vector<Seconds> times(const std::vector<std::size_t>& of, const std::vector<double>& values,
                             const std::function<bool()>& poll = {});
  /// The same of points, each as often as it is named.
  std::vector<Seconds> of_points(const std::vector<std::size_t>& points, const std::vector<double>& values,
                                 const std::function<bool()>& poll = {});
  std::size_t simulations() const { return simulations_; }
  /// Whether any of the points depends on the parameter.
  bool matters(std::size_t parameter) const;

 private:
  using Known = std::map<std::vector<double>, Seconds>;  ///< by the values that matter to the point
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

/// Fills in what each point does. Returns the platform, the network and the types of node that cores and GPUs are of.
FittedMachine see_points(MeasuredScenarios& measured, const Platform& platform, const Network& network);

}  // namespace orrery::study
