/// Whether a speed function has the shape that partitioning by a line through the origin requires.
///
///   1. up to some size X it rises and is concave, or falls
///   2. from X on it falls (a level stretch counts as both)
///   3. hence any line through the origin cuts it once: x / s(x) grows with x
///
/// Only the third decides whether 'geometric' finds the optimum; the first two give the reason of a failure.
///
/// Source   Lastovetsky & Reddy, IJHPCA 21(1), 2007 (restrictions on the shape); Lastovetsky, Reddy, Rychkov & Clarke
///          (DFPA), section 1 ("beginning from some point, it should be monotonically decreasing")
/// Valid    looked at at the points and at 16 places between two of them, not proved between those
/// Checked  tests/unit/models/processor/processor_test.cpp
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/processor/speed_function.hpp"

namespace orrery {

struct ShapeDefect {
  double size = 0.0;  ///< where it is first seen
  std::string what;   ///< "rises again", ...
};

struct SpeedShape {
  double falls_from = 0.0;             ///< X: size with the largest speed
  std::optional<ShapeDefect> rise;     ///< of restriction 1
  std::optional<ShapeDefect> fall;     ///< of restriction 2
  std::optional<ShapeDefect> one_cut;  ///< of restriction 3

  bool fits_a_line() const { return !one_cut; }
  /// One sentence for each broken restriction; empty: all hold.
  std::vector<std::string> defects() const;
};

SpeedShape shape_of(const SpeedFunction& function);

}  // namespace orrery
