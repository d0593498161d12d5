/// Checks that an installation works: two shipped scenarios within their tolerances, a prediction with a closed form,
/// and an exported program read back. No compiler, no network, seconds.
///
///   for (const SelfCheck& check : self_checks())
///     fmt::print("{}: {}\n", check.name, check.run("/tmp/scratch"));   // throws Error if it fails
///
/// Checked  tests/unit/study/selftest_test.cpp, tests/cli/selftest.sh
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::study {

struct SelfCheck {
  std::string name;
  /// Returns what was verified; writes only into `folder`. Throws BoundError if a number is wrong, InputError if a
  /// shipped file is missing.
  std::function<std::string(const std::string& folder)> run;
};

/// In execution order.
std::vector<SelfCheck> self_checks();

/// One line on a scenario whose points all ended and whose tolerances all hold; throws BoundError otherwise, and if it
/// has no tolerances.
std::string all_hold(const ScenarioResult& result);
/// Throws BoundError if the first prediction differs from the simulation by more than `share`.
std::string predicted_within(const ScenarioResult& result, double share);
/// Throws BoundError unless both runs took the same time, to the bit.
std::string same_makespan(const ScenarioResult& program, const ScenarioResult& read_back);

}  // namespace orrery::study
