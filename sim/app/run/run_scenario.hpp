/// Plays a scenario: calibrates its models, simulates every point, predicts, compares. SimGrid's points each have a
/// child process of their own, the flow engine's run on threads.
///
///   const ScenarioResult result = run_scenario(read_scenario("x.yaml", {}), {.jobs = 2});
///
/// The order of results never depends on `jobs`. A point that deadlocks costs only that point.
#pragma once

#include "models/model.hpp"
#include "sim/app/run/trace_range.hpp"
#include "sim/core/scenario_result.hpp"
#include "sim/replay/engine.hpp"
#include "sim/scenario/scenario.hpp"

namespace orrery::app {

struct RunOptions {
  unsigned jobs = 1;
  std::uint32_t intervals_max = 400;  ///< time-line intervals kept per rank of each point
  TraceRange trace;                   ///< the ranks and times of which all are kept instead
  std::optional<bool> critical_path;  ///< keep it; unset: up to 1,024 ranks
  bool progress = true;
  bool simulate = true;  ///< false: predictions only
};

/// The result, and the model parameters it was predicted with (one set per model, platform and network).
struct ScenarioRun {
  ScenarioResult result;
  std::vector<ModelParameters> parameters;
};

ScenarioRun run_scenario(const Scenario& scenario, const RunOptions& options);

}  // namespace orrery::app
