/// The best point of a scenario's sweep, without playing them all: what `orrery search` does.
///
///   refused    points that cannot be (a grid that is not the ranks', more than the memory) are left out
///   pruned     what the least time of a point (quantity.hpp) shows to be worse than one that was played, or beyond a
///              bound, is not played; the others are, those first that may be the best
///   model      with a model the engine plays its best proposals alone; nothing then says that no other is better
///
/// The result has the points that were played, the best first, those that break a bound behind them, with a metric
/// 'behind' (% of the best), and notes that say what was left out and why. Which points are played does not depend on
/// `jobs`. Finished points are in the store, so that a search which stopped goes on with `resume`.
///
/// Checked  tests/unit/study/search_test.cpp against the whole sweep, docs/search.md
#pragma once

#include "sim/study/play/run_scenario.hpp"

namespace orrery::study {

/// Throws InputError where a quantity is unknown or no point can be, DomainError where none keeps the bounds.
ScenarioRun search(const Scenario& scenario, const RunOptions& options, ResultStore& store);
/// Nothing is kept beyond the call.
ScenarioRun search(const Scenario& scenario, const RunOptions& options);

}  // namespace orrery::study
