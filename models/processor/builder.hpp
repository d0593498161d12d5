/// Builds a functional performance model from as few measurements as its accuracy needs: it decides where to measure
/// next and when to stop.
///
///   Both ends are measured. Of the intervals between neighbouring points, the one whose last prediction had the
///   largest error is bisected next: its middle is measured and compared with the interpolation. An interval is
///   finished if its middle was predicted within the accuracy, or if it is narrower than the resolution.
///
///   |s - s'| / s <= accuracy        s measured, s' interpolated before
///
/// It stops when all intervals are finished, before a measurement would exceed `points_max`, or after the measurements
/// took `cost_max`.
///
/// Source   after Lastovetsky, Reddy & Higgins, "Building the functional performance model of a processor", ACM SAC
///          2006
/// Differs  the source trisects and keeps bands; here an interval is judged by its middle. Cost is a second way to
///          stop
/// Valid    functions whose features are wider than the intervals: a dip between two measured sizes is not seen
/// Checked  tests/unit/models/processor/processor_test.cpp
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "models/processor/speed_function.hpp"
#include "sim/core/units.hpp"

namespace orrery {

struct ModelWish {
  double from = 1.0, to = 1.0;  ///< sizes
  double accuracy = 0.05;
  double resolution = 1.0;  ///< sizes closer than that count as one
  std::size_t points_max = 100;
  Seconds cost_max = Seconds(1e18);
  Interpolation interpolation = Interpolation::linear;
};

struct BuiltModel {
  enum class Stopped : std::uint8_t { accurate, points, cost };

  SpeedFunction function;
  std::vector<SpeedPoint> measured;  ///< in the order of measuring
  Seconds cost;                      ///< sum of the measured times
  Stopped stopped = Stopped::accurate;
};

/// measure(size): time of the task in seconds, positive.
BuiltModel build_model(const std::function<Seconds(double size)>& measure, const ModelWish& wish);

}  // namespace orrery
