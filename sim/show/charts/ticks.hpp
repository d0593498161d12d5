/// Times of a page's timelines as integer ticks: short in the file, exact enough for a picture.
///
/// A tick is a nanosecond. For a long run it is the smallest larger power of ten that keeps the end below 1e15 ticks:
/// JavaScript numbers are exact up to 9e15.
#pragma once

#include <cmath>
#include <cstdint>

#include "sim/core/units.hpp"

namespace orrery::show {

class Ticks {
 public:
  explicit Ticks(Seconds end) {
    while (std::isfinite(end.si()) && end.si() / tick_s_ > 1e15) tick_s_ *= 10.0;
  }
  double tick_s() const { return tick_s_; }
  std::int64_t operator()(Seconds t) const {
    const double count = t.si() / tick_s_;
    return std::abs(count) < 9e15 ? static_cast<std::int64_t>(std::llround(count)) : 0;  // NaN gives 0
  }

 private:
  double tick_s_ = 1e-9;
};

}  // namespace orrery::show
