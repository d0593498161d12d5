/// The best point of a scenario's sweep, without simulating all of them: `orrery search`.
///
///   refused    invalid points (a grid that does not match the ranks, too little memory) are left out
///   pruned     a point is not simulated if its minimum time (quantity.hpp) shows that it is worse than a simulated one
///              or violates a bound; the others are simulated, most promising first
///   model      with a model the engine simulates only its best proposals; nothing then proves that no other is better
///
/// The result has the simulated points, the best first, those that violate a bound last, with a metric 'behind' (% of
/// the best), and notes on what was left out and why. The selection of points does not depend on `jobs`. Finished
/// points are in the store, so a stopped search continues with `resume`.
///
/// Checked  tests/unit/study/search_test.cpp against the whole sweep, docs/search.md
#pragma once

#include "sim/study/play/run_scenario.hpp"

namespace orrery::study {

/// Throws InputError if a quantity is unknown or no point is valid, DomainError if none meets the bounds.
ScenarioRun search(const Scenario& scenario, const RunOptions& options, ResultStore& store);
/// Without a store: nothing is kept beyond the call.
ScenarioRun search(const Scenario& scenario, const RunOptions& options);

}  // namespace orrery::study
