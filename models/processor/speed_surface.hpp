/// A functional performance model in two parameters: the speed of a processor by columns and rows of its task.
///
///   s(w, h)  between the curves of the widths below and above w, each at h: linear in w; constant outside
///
///   w, h  columns and rows, any unit
///   s     units of w h per second
///
/// Source   Lastovetsky, Reddy, Rychkov & Clarke (DFPA), section 3.2 and figure 9
/// Checked  tests/unit/models/processor/processor_test.cpp
#pragma once

#include <string>
#include <vector>

#include "models/processor/speed_function.hpp"

namespace orrery {

class SpeedSurface {
 public:
  struct Curve {
    double width;
    SpeedFunction by_height;
  };
  /// Throws DomainError that begins with `where` without curves or with widths that are not positive or do not ascend.
  explicit SpeedSurface(std::vector<Curve> curves, const std::string& where = "speed surface");

  double speed(double width, double height) const;

 private:
  std::vector<Curve> curves_;
};

}  // namespace orrery
