/// What limits the points of a sweep: points with the same kind of limit form one group; its range is reported, with
/// the points at its ends.
///
///   5 of 5 points: 33 % (ranks 4096) to 98 % (ranks 128) of the run is computation, 0 to 31 % latency
///
/// A group of one point has the full answer of that point. Points without a critical path form one group if the same
/// cause limited them, or if their sentences are identical.
///
/// Checked  tests/unit/show/binding_test.cpp
#pragma once

#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

/// A cause on the critical paths of several points: its smallest and largest share of the run.
struct CauseRange {
  std::string name, if_free;
  double least = 0.0, most = 0.0;
};

/// Points with the same kind of limit, largest group first.
struct BindingGroup {
  std::vector<const PointResult*> points;
  double least = 0.0, most = 0.0;  ///< the first share in the answer; 0 without a critical path
  const PointResult *at_least = nullptr, *at_most = nullptr;  ///< the points that have these
  std::vector<CauseRange> causes = {};                        ///< of the run, largest first; empty for several jobs
  /// For all points: "33 % (ranks 4096) to 98 % (ranks 128) of the run is computation", and the compared phase.
  std::vector<std::string> said = {};
};
std::vector<BindingGroup> binding_groups(const ScenarioResult& result);

/// One to four sentences: what limits the points. Empty if no point has an answer.
std::vector<std::string> binding_sentences(const ScenarioResult& result);

}  // namespace orrery::show
