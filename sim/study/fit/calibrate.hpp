/// Calibration: a model's micro-benchmarks, run on an engine or read from a CSV of real measurements, and fitted.
///
///   const ModelParameters p = calibrate(models().at("taulop", "-"), platform, network, range, {.jobs = 2});
///
/// Each experiment is one simulation (engine::play_all): all its sizes and variants run one after another in one
/// program. An experiment that several models share runs once.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/model.hpp"
#include "sim/core/parameters.hpp"
#include "sim/engine/engine.hpp"
#include "sim/study/read/engines.hpp"

namespace orrery::study {

/// The benchmark results, by series, and their source: "simgrid 3.32 (...)" or the name of a file.
struct Measured {
  std::string origin;
  std::vector<Measurement> series;
};

struct CalibrationOptions {
  unsigned jobs = 1;
  std::function<void(std::size_t done, std::size_t total, const std::string& last)> progress = {};
  std::function<bool()> keep_going = {};  ///< false stops the running experiments and throws Interrupted
  /// Called once per experiment.
  std::function<std::unique_ptr<Engine>()> engine = [] { return make_engine(default_engine, "engine"); };
  /// `known` returns results of an earlier run; `keep` stores new ones for a later run when each experiment ends.
  std::function<std::optional<Measured>(const Experiment&)> known = {};
  std::function<void(const Experiment&, const Measured&)> keep = {};
};

/// The experiments of all these models, without duplicates, in the order of the plans.
std::vector<Experiment> plan_of(const std::vector<const ModelEntry*>& models, const Platform& platform,
                                const Network& network, const CalibrationRange& range);

Measured measure(const std::vector<Experiment>& plan, const Platform& platform, const Network& network,
                 const CalibrationOptions& options = {});

/// MPI cannot measure two ranks inside a node of one core, but models need that: adds an engine's results on the
/// platform file for the experiments of the plan that were not measured. Returns the number of these experiments.
std::size_t add_unmeasurable(Measured& measured, const std::vector<Experiment>& plan, const Platform& platform,
                             const Network& network);

/// Fits every model and records the source of the times.
std::vector<ModelParameters> fit(const std::vector<const ModelEntry*>& models, const Platform& platform,
                                 const Network& network, const CalibrationRange& range, const Measured& measured);

/// Plan, measure and fit of one model.
ModelParameters calibrate(const ModelEntry& model, const Platform& platform, const Network& network,
                          const CalibrationRange& range, const CalibrationOptions& options = {});

/// One rank on each of these cores.
Layout layout_of(const std::vector<CorePlace>& places, const Platform& platform);

/// 30 sizes from 1 B to 4 MiB, denser where protocols change: those of the tables published with tau-Lop.
std::vector<Bytes> default_sizes();

/// Times as CSV: "id,message_B,time_s" and one line per point, in the shortest form that reads back identically.
std::string measured_csv(const Measured& measured);
/// Reads the same file back; columns may be in any order, others are ignored. Throws InputError "file:line: ...".
Measured parse_measured_csv(const std::string& text, const std::string& file);

}  // namespace orrery::study
