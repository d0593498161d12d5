#include "models/processor/speed_surface.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/core/error.hpp"

namespace orrery {

SpeedSurface::SpeedSurface(std::vector<Curve> curves, const std::string& where) : curves_(std::move(curves)) {
  if (curves_.empty()) throw DomainError("{}: no curves (at least 1). Measure one width?", where);
  for (std::size_t k = 0; k < curves_.size(); ++k) {
    if (!(curves_[k].width > 0.0)) throw DomainError("{}: width {:g} (positive). Correct it?", where, curves_[k].width);
    if (k > 0 && !(curves_[k - 1].width < curves_[k].width))
      throw DomainError("{}: width {:g} after {:g} (widths ascend). Sort the curves?", where, curves_[k].width,
                        curves_[k - 1].width);
  }
}

double SpeedSurface::speed(double width, double height) const {
  const auto above = std::ranges::lower_bound(curves_, width, {}, &Curve::width);
  if (above == curves_.begin()) return above->by_height.speed(height);
  if (above == curves_.end()) return curves_.back().by_height.speed(height);
  const Curve &low = *std::prev(above), &high = *above;
  const double part = (width - low.width) / (high.width - low.width);
  return (1.0 - part) * low.by_height.speed(height) + part * high.by_height.speed(height);
}

}  // namespace orrery
