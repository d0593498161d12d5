/// What tells that an installation works: two shipped scenarios within their tolerances, a prediction that has a closed
/// form, and an exported program read back. No compiler, no network, seconds.
///
///   for (const SelfCheck& check : self_checks())
///     fmt::print("{}: {}\n", check.name, check.run("/tmp/scratch"));   // throws Error where it does not hold
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
  /// Says what held; writes into `folder` alone. Throws BoundError where a number is wrong, InputError where a shipped
  /// file is missing.
  std::function<std::string(const std::string& folder)> run;
};

/// In the order in which they are run.
std::vector<SelfCheck> self_checks();

/// One line on a scenario whose points all ended and whose tolerances all hold; throws BoundError otherwise, and where
/// it states none.
std::string all_hold(const ScenarioResult& result);
/// Throws BoundError where the first prediction is further than `share` from what was simulated.
std::string predicted_within(const ScenarioResult& result, double share);
/// Throws BoundError unless both runs took the same time, to the bit.
std::string same_makespan(const ScenarioResult& program, const ScenarioResult& read_back);

}  // namespace orrery::study
