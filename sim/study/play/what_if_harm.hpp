/// Where in the network the faults of a sweep over `what-if` are, so that its picture can show what each costs: slots
/// are those of the point without a fault, a slower node counts at its adapters.
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
  /// Of every point, in order.
  void see(const LoadedPoint& point, NetworkOutlines& outlines);
  /// Metric 'slowdown', a note of what hurts most, and the picture of each point without a fault.
  void conclude(ScenarioResult& result) const;

 private:
  std::vector<std::vector<std::uint32_t>> slots_;  ///< [points] of its faults
};

}  // namespace orrery::study
