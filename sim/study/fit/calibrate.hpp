/// Calibration: a model's plan of micro-benchmarks, run on an engine or read from a real machine's CSV, and fitted.
///
///   const ModelParameters p = calibrate(models().at("taulop", "-"), platform, network, range, {.jobs = 2});
///
/// Each experiment is one simulation (engine::play_all): all its sizes and variants follow each other in one program.
/// Experiments that several models plan alike are run once.
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

/// What the benchmarks said, by series, and who said it: "simgrid 3.32 (...)" or the name of a file.
struct Measured {
  std::string origin;
  std::vector<Measurement> series;
};

struct CalibrationOptions {
  unsigned jobs = 1;
  std::function<void(std::size_t done, std::size_t total, const std::string& last)> progress = {};
  std::function<bool()> keep_going = {};  ///< false ends what runs and throws Interrupted
  /// Called once per experiment.
  std::function<std::unique_ptr<Engine>()> engine = [] { return make_engine(default_engine, "engine"); };
  /// What an earlier run has measured, and where what is measured now is kept for a later one as each experiment ends.
  std::function<std::optional<Measured>(const Experiment&)> known = {};
  std::function<void(const Experiment&, const Measured&)> keep = {};
};

/// Experiments of all these models, each once, in the order of the plans.
std::vector<Experiment> plan_of(const std::vector<const ModelEntry*>& models, const Platform& platform,
                                const Network& network, const CalibrationRange& range);

Measured measure(const std::vector<Experiment>& plan, const Platform& platform, const Network& network,
                 const CalibrationOptions& options = {});

/// Two ranks inside a node of one core are for no MPI to measure, but models ask for them: adds what an engine says of
/// the platform as it is written, for the experiments of the plan that were not measured. Returns how many those are.
std::size_t add_unmeasurable(Measured& measured, const std::vector<Experiment>& plan, const Platform& platform,
                             const Network& network);

/// Fits every model and names where the times come from.
std::vector<ModelParameters> fit(const std::vector<const ModelEntry*>& models, const Platform& platform,
                                 const Network& network, const CalibrationRange& range, const Measured& measured);

/// Plan, measure and fit of one model.
ModelParameters calibrate(const ModelEntry& model, const Platform& platform, const Network& network,
                          const CalibrationRange& range, const CalibrationOptions& options = {});

/// One rank on each of these cores.
Layout layout_of(const std::vector<CorePlace>& places, const Platform& platform);

/// 30 sizes from 1 B to 4 MiB, denser where protocols change: those of the tables published with tau-Lop.
std::vector<Bytes> default_sizes();

/// Times as CSV: "id,message_B,time_s" and one line per point, shortest numbers that read back the same.
std::string measured_csv(const Measured& measured);
/// The same file back; columns may stand in any order and others are ignored. Throws InputError "file:line: ...".
Measured parse_measured_csv(const std::string& text, const std::string& file);

}  // namespace orrery::study
