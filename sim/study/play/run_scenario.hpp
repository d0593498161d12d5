/// Runs a scenario: calibrates its models, simulates every point, predicts, compares. Each point of SimGrid has its own
/// child process, those of the flow engine run on threads; predictions are made in children. Everything that has ended
/// is in the store, and the result is made from it: a run that resumed after a stop has, bit for bit, the result of one
/// that never stopped.
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
  std::optional<std::uint32_t> intervals_max;  ///< timeline intervals kept per rank; unset: see detail.hpp
  bool full = false;                           ///< 400 intervals per rank and every load over time
  TraceRange trace;                            ///< ranks and times that are kept in full instead
  std::optional<bool> critical_path;           ///< keep it; unset: up to 16,384 ranks
  bool progress = true;
  bool simulate = true;                            ///< false: predictions only
  unsigned repeat = 1;                             ///< runs of each randomized point, with different seeds
  bool resume = false;                             ///< results in the store are not computed again
  std::optional<std::set<std::size_t>> only = {};  ///< points that are simulated, if not all: the others are predicted
  bool merged = false;         ///< the store must have every point, finished or failed; else throws PointsMissing
  std::size_t all_points = 0;  ///< of the whole run if these points are a shard; 0: no shard
  std::function<void(std::size_t point, bool failed)> on_ended = {};  ///< once for each engine
  /// Each point with all its loaded data, for callers that need more than its result.
  std::function<void(std::shared_ptr<const LoadedPoint>)> on_collected = {};
  std::string side = {};  ///< prefix of progress lines: "A: "

  bool plays(std::size_t point) const { return simulate && (!only || only->contains(point)); }
};

/// The result, and the model parameters used for its predictions (one set per model, platform and network).
struct ScenarioRun {
  ScenarioResult result;
  std::vector<ModelParameters> parameters;
  std::set<std::string> ids;  ///< of the points and of the models' measurements
  Choices choices = {};       ///< if the scenario has `choose`
};

/// Ctrl-C or SIGTERM, with the numbers of points and of benchmarks for models in the store.
struct Stopped : Interrupted {
  Stopped(const Refusal& what, std::size_t finished_points, std::size_t all_points, std::size_t kept_benchmarks)
      : Interrupted(what), finished(finished_points), points(all_points), benchmarks(kept_benchmarks) {}
  std::size_t finished, points, benchmarks;
};

/// For merged shards: no engine has finished these points, and none has failed at them.
struct PointsMissing : InputError {
  PointsMissing(const Refusal& what, std::vector<std::size_t> numbers) : InputError(what), points(std::move(numbers)) {}
  std::vector<std::size_t> points;  ///< each repetition is one
};

/// The sentence after the reason of a stop before anything was simulated.
Refusal nothing_played(const Scenario& scenario);

ScenarioRun run_scenario(const Scenario& scenario, const RunOptions& options, ResultStore& store);
/// Without a store: nothing is kept beyond the call.
ScenarioRun run_scenario(const Scenario& scenario, const RunOptions& options);

}  // namespace orrery::study
