/// The places in the network of the faults of a sweep over `what-if`, so that its picture can show the cost of each:
/// slots are those of the point without a fault; a slower node counts at its adapters.
///
/// Checked  tests/unit/study/what_if_test.cpp
#pragma once

#include <vector>

#include "sim/core/scenario_result.hpp"
#include "sim/study/play/network_loads.hpp"
#include "sim/study/read/point.hpp"

namespace orrery::study {

class WhatIfHarm {
 public:
  /// Call for every point, in order.
  void see(const LoadedPoint& point, NetworkOutlines& outlines);
  /// Adds metric 'slowdown', a note on the worst fault, and the picture of each point without a fault.
  void conclude(ScenarioResult& result) const;

 private:
  std::vector<std::vector<std::uint32_t>> slots_;  ///< [points] slots of its faults
};

}  // namespace orrery::study
