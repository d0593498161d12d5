/// The speed of one processor as a function of the size of its task: a functional performance model (FPM). One point
/// is a constant performance model (CPM).
///
///   s(x)  interpolated between measured points (x_k, s_k), s_1 before the first and s_m after the last
///   t(x) = x / s(x)
///
///   x  size     any unit: rows, blocks, flops, bytes
///   s  speed    units of x per second
///   t  seconds  time of a task of size x
///
/// `insert` is step 5 of DFPA: a point before the first, after the last or between two replaces the segment it lies on
/// by two. With constant ends the three cases of the source are one: insertion in order of size. A second measurement
/// of a size replaces the first.
///
///   linear  segments: never leaves the range of its two points
///   cubic   piecewise cubic Hermite, monotone between points (Fritsch & Carlson): as above, without corners
///   akima   modified Akima: smoother, may overshoot between points
/// Cubic and akima need four points; with fewer they are linear.
///
/// Source   Lastovetsky & Reddy, IJHPCA 21(1), 2007; Lastovetsky, Reddy, Rychkov & Clarke (DFPA), section 2, step 5
/// Valid    between the first and the last size; constant ends are the source's assumption
/// Checked  tests/unit/models/processor/processor_test.cpp
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "sim/core/partition_rounds.hpp"

namespace orrery {

enum class Interpolation : std::uint8_t { linear, cubic, akima };

class SpeedFunction {
 public:
  /// Throws DomainError that begins with `where` if there are no points, if a size is negative or does not ascend, if a
  /// speed is not positive, and if akima drops to zero between two points.
  explicit SpeedFunction(std::vector<SpeedPoint> points, Interpolation interpolation = Interpolation::linear,
                         const std::string& where = "speed function");

  double speed(double size) const;
  double time(double size) const { return size > 0.0 ? size / speed(size) : 0.0; }

  void insert(SpeedPoint point);

  std::span<const SpeedPoint> points() const { return points_; }
  Interpolation interpolation() const { return interpolation_; }

 private:
  void fit(const std::string& where);

  std::vector<SpeedPoint> points_;
  Interpolation interpolation_;
  std::shared_ptr<const std::function<double(double)>> smooth_;  ///< null: linear
};

}  // namespace orrery
