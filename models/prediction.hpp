/// What a model is asked and what it answers. Two kinds of model:
///
///   PhaseModel   one phase at a time: its communication, and where the model has them its computation and what of the
///                two goes on at once:  T = T_communication + T_computation - T_overlap  (Meyer 2012, equation 1.1)
///   RunModel     whole runs: fitted to times of runs that were played or measured, so it exists only after them
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

/// A run to be predicted: everything that is known of it but its time. Refers to what its owner keeps.
struct PredictionInput {
  std::span<const Phase> phases;      ///< of the whole program, in order
  const std::string& compared_phase;  ///< the name of those whose time is compared
  const Layout& layout;
  const Platform& platform;
  const Network& network;
  const ComputeModel& compute;
  const std::string& kernel;
  const Parameters& parameters;                        ///< of the kernel
  const std::map<std::string, std::string>& settings;  ///< every value that makes the run, by path: "kernel.blocks"
};

/// One term of a prediction, in words: "2 || T^0(116 blocks)" with its cost.
struct Explanation {
  std::string text;
  Seconds cost;
};

/// What one repetition of a phase takes.
struct PhaseTime {
  Seconds communication;
  Seconds computation = {};  ///< zero where a model leaves it out
  Seconds overlap = {};      ///< when both go on at once: at most the lesser of the two

  Seconds total() const { return communication + (computation - overlap); }
};

class PhaseModel {
 public:
  virtual ~PhaseModel() = default;
  /// Communication time of one repetition of the phase on this layout. `steps`, when given, receives the terms.
  virtual Seconds communication_time(const Phase& phase, const Layout& layout,
                                     std::vector<Explanation>* steps = nullptr) const = 0;
  /// The same with computation and overlap, for models that have them. To others, what collectives do beside their
  /// messages follows these: of the rank that does most.
  virtual PhaseTime time(const Phase& phase, const PredictionInput& input,
                         std::vector<Explanation>* steps = nullptr) const;
  /// What a reader must know of this prediction, one sentence each: what lies outside the calibration, what the model
  /// does not see. Asked once for all phases.
  virtual std::vector<std::string> notes(const PredictionInput&) const { return {}; }
  /// True: every phase is predicted, and their sum stands beside the makespan. False: the compared phase alone.
  virtual bool predicts_run() const { return false; }
};

/// A run with its times, played or measured.
struct TimedRun {
  const PredictionInput& input;
  Seconds makespan;
  Seconds compared;  ///< of the compared phase, summed over its iterations
};

class RunModel {
 public:
  virtual ~RunModel() = default;
  /// False: it says nothing of this run, and was told to leave out what it cannot tell.
  virtual bool answers(const PredictionInput&) const { return true; }
  /// Time of a run. Throws DomainError where the runs it was fitted to say nothing of this one.
  virtual Seconds time(const PredictionInput& run, std::vector<Explanation>* steps = nullptr) const = 0;
  /// As in PhaseModel; how well the fit meets its own runs belongs here.
  virtual std::vector<std::string> notes(const PredictionInput&) const { return {}; }
  /// True: `time` is the makespan. False: that of the compared phase.
  virtual bool predicts_run() const { return true; }
};

}  // namespace orrery
