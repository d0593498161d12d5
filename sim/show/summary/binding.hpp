/// What binds over the points of a sweep: points whose time is of the same kind are one group, of which the range is
/// said, with the points at its ends.
///
///   5 of 5 points: 33 % (ranks 4096) to 98 % (ranks 128) of the run is computation, 0 to 31 % latency
///
/// A group of one point says all that its own answer says. Points without a critical path are of one kind where
/// they were bound by the same cause, or say the same.
///
/// Checked  tests/unit/show/binding_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

/// A cause on the critical paths of several points: its least and greatest share of the run.
struct CauseRange {
  std::string name, if_free;
  double least = 0.0, most = 0.0;
};

/// Points whose time is of the same kind, greatest number first.
struct BindingGroup {
  std::vector<const PointResult*> points;
  double least = 0.0, most = 0.0;  ///< share that the answer names first; 0 without a critical path
  const PointResult *at_least = nullptr, *at_most = nullptr;  ///< the points that have these
  std::vector<CauseRange> causes = {};                        ///< of the run, greatest first; none of several jobs
  /// Of all points: "33 % (ranks 4096) to 98 % (ranks 128) of the run is computation", and of the compared phase.
  std::vector<std::string> said = {};
};
std::vector<BindingGroup> binding_groups(const ScenarioResult& result);

/// One to four sentences: what binds over all points. Empty when no point says it.
std::vector<std::string> binding_sentences(const ScenarioResult& result);

}  // namespace orrery::show
