/// Input and output of a model. Two kinds of model:
///
///   PhaseModel   one phase at a time: its communication, and for some models its computation and the overlap of the
///                two:  T = T_communication + T_computation - T_overlap  (Meyer 2012, equation 1.1)
///   RunModel     whole runs: fitted to simulated or measured times of runs, so it exists only after them
///
/// Both are pure: they see no engine, no clock, no file.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "platforms/description.hpp"
#include "sim/core/compute_model.hpp"
#include "sim/core/layout.hpp"
#include "sim/core/parameters.hpp"
#include "sim/core/phase.hpp"

namespace orrery {

/// A run to be predicted: everything known of it except its time. Refers to objects that its owner keeps.
struct PredictionInput {
  std::span<const Phase> phases;      ///< of the whole program, in order
  const std::string& compared_phase;  ///< the name of those whose time is compared
  const Layout& layout;
  const Platform& platform;
  const Network& network;
  const ComputeModel& compute;
  const std::string& kernel;
  const Parameters& parameters;                        ///< of the kernel
  const std::map<std::string, std::string>& settings;  ///< all values that determine the run, by path: "kernel.blocks"
};

/// One term of a prediction, as text: "2 || T^0(116 blocks)" with its cost.
struct Explanation {
  std::string text;
  Seconds cost;
};

/// The times of one repetition of a phase.
struct PhaseTime {
  Seconds communication;
  Seconds computation = {};  ///< zero if a model leaves it out
  Seconds overlap = {};      ///< time of both together: at most the smaller of the two

  Seconds total() const { return communication + (computation - overlap); }
};

class PhaseModel {
 public:
  virtual ~PhaseModel() = default;
  /// Communication time of one repetition of the phase on this layout. `steps`, if given, receives the terms.
  virtual Seconds communication_time(const Phase& phase, const Layout& layout,
                                     std::vector<Explanation>* steps = nullptr) const = 0;
  /// The same with computation and overlap, for models that have these. For other models the local work of collectives,
  /// of the rank with most of it, is added after the messages.
  virtual PhaseTime time(const Phase& phase, const PredictionInput& input,
                         std::vector<Explanation>* steps = nullptr) const;
  /// Reservations about this prediction, one sentence each: values outside the calibration, effects that the model
  /// ignores. Called once for all phases.
  virtual std::vector<std::string> notes(const PredictionInput&) const { return {}; }
  /// True: every phase is predicted, and their sum is compared with the makespan. False: only the compared phase.
  virtual bool predicts_run() const { return false; }
};

/// A run with its simulated or measured times.
struct TimedRun {
  const PredictionInput& input;
  Seconds makespan;
  Seconds compared;  ///< of the compared phase, summed over its iterations
};

class RunModel {
 public:
  virtual ~RunModel() = default;
  /// False: it has no answer for this run, and is set to omit such runs.
  virtual bool answers(const PredictionInput&) const { return true; }
  /// Time of a run. Throws DomainError if the runs of its fit do not determine this one.
  virtual Seconds time(const PredictionInput& run, std::vector<Explanation>* steps = nullptr) const = 0;
  /// As in PhaseModel; the quality of the fit for its own runs belongs here.
  virtual std::vector<std::string> notes(const PredictionInput&) const { return {}; }
  /// True: `time` is the makespan. False: that of the compared phase.
  virtual bool predicts_run() const { return true; }
};

}  // namespace orrery
