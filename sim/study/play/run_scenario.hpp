/// Plays a scenario: calibrates its models, simulates every point, predicts, compares. SimGrid's points each have a
/// child process of their own, the flow engine's run on threads; predictions are made in children. What has ended is in
/// the store, from which the result is made: that of a run that went on after a stop is bit for bit that of one which
/// never stopped.
///
///   ResultStore store(ResultStore::file_in("out"));
///   const ScenarioRun run = run_scenario(read_scenario("x.yaml", {}), {.jobs = 2, .resume = true}, store);
///
/// The order of results never depends on `jobs`. A point that deadlocks costs only that point.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <vector>

#include "models/model.hpp"
#include "sim/core/error.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/engine/engine.hpp"
#include "sim/study/judge/choices.hpp"
#include "sim/study/play/trace_range.hpp"
#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"
#include "sim/study/store/result_store.hpp"

namespace orrery::study {

struct RunOptions {
  unsigned jobs = 1;
  std::optional<std::uint32_t> intervals_max;  ///< time-line intervals kept per rank; unset: as detail.hpp has it
  bool full = false;                           ///< 400 intervals per rank and every load over time
  TraceRange trace;                            ///< the ranks and times of which all are kept instead
  std::optional<bool> critical_path;           ///< keep it; unset: up to 16,384 ranks
  bool progress = true;
  bool simulate = true;                            ///< false: predictions only
  unsigned repeat = 1;                             ///< times that a point is played which varies, with other seeds
  bool resume = false;                             ///< what the store has is not played again
  std::optional<std::set<std::size_t>> only = {};  ///< points that are played, if not all: the others are predicted
  bool merged = false;         ///< the store has every point, finished or failed; throws PointsMissing where it has not
  std::size_t all_points = 0;  ///< of the run that these points are a shard of; 0: they are all
  std::function<void(std::size_t point, bool failed)> on_ended = {};  ///< once for each engine
  /// Each point with all that it was played with, for who asks more of it than its result says.
  std::function<void(std::shared_ptr<const LoadedPoint>)> on_collected = {};
  std::string side = {};  ///< opens lines of progress: "A: "

  bool plays(std::size_t point) const { return simulate && (!only || only->contains(point)); }
};

/// The result, and the model parameters it was predicted with (one set per model, platform and network).
struct ScenarioRun {
  ScenarioResult result;
  std::vector<ModelParameters> parameters;
  std::set<std::string> ids;  ///< of the points and of what models were measured with
  Choices choices = {};       ///< if the scenario asks for them
};

/// Ctrl-C or SIGTERM, and how many points the store has, and how many benchmarks that models are measured with.
struct Stopped : Interrupted {
  Stopped(const Refusal& what, std::size_t finished_points, std::size_t all_points, std::size_t kept_benchmarks)
      : Interrupted(what), finished(finished_points), points(all_points), benchmarks(kept_benchmarks) {}
  std::size_t finished, points, benchmarks;
};

/// Of shards that were merged: no engine has finished these points, and none has failed at them.
struct PointsMissing : InputError {
  PointsMissing(const Refusal& what, std::vector<std::size_t> numbers) : InputError(what), points(std::move(numbers)) {}
  std::vector<std::size_t> points;  ///< each repetition is one
};

/// What is said behind the reason of a stop before anything was played.
Refusal nothing_played(const Scenario& scenario);

ScenarioRun run_scenario(const Scenario& scenario, const RunOptions& options, ResultStore& store);
/// Nothing is kept beyond the call.
ScenarioRun run_scenario(const Scenario& scenario, const RunOptions& options);

}  // namespace orrery::study
