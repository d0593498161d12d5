#include "models/processor/speed_function.hpp"

#include <fmt/format.h>
#include <math.h>  // before Boost.Math 1.74

#include <algorithm>
#include <boost/math/interpolators/makima.hpp>
#include <boost/math/interpolators/pchip.hpp>
#include <cmath>

#include "sim/core/error.hpp"

namespace orrery {

namespace {

constexpr std::size_t smooth_points_min = 4;  // of Boost's interpolators
constexpr int looked_at_between = 16;         // places between two points where akima is checked

void check(const SpeedPoint& point, const std::string& where) {
  if (!std::isfinite(point.size) || point.size < 0.0)
    throw DomainError("{}: size '{:g}' (finite and not negative). Correct the point?", where, point.size);
  if (!std::isfinite(point.speed) || point.speed <= 0.0)
    throw DomainError("{}: speed '{:g}' at size {:g} (finite and positive). Leave the point out?", where, point.speed,
                      point.size);
}

template <class Interpolator>
std::shared_ptr<const std::function<double(double)>> smooth_through(std::span<const SpeedPoint> points) {
  std::vector<double> sizes, speeds;
  for (const auto& [size, speed] : points) {
    sizes.push_back(size);
    speeds.push_back(speed);
  }
  auto interpolator = std::make_shared<const Interpolator>(std::move(sizes), std::move(speeds));
  return std::make_shared<const std::function<double(double)>>(
      [interpolator](double size) { return (*interpolator)(size); });
}

}  // namespace

SpeedFunction::SpeedFunction(std::vector<SpeedPoint> points, Interpolation interpolation, const std::string& where)
    : points_(std::move(points)), interpolation_(interpolation) {
  if (points_.empty()) throw DomainError("{}: no points (at least 1). Measure one?", where);
  for (std::size_t k = 0; k < points_.size(); ++k) {
    check(points_[k], where);
    if (k > 0 && !(points_[k - 1].size < points_[k].size))
      throw DomainError("{}: size {:g} after {:g} (sizes ascend). Sort the points?", where, points_[k].size,
                        points_[k - 1].size);
  }
  fit(where);
}

double SpeedFunction::speed(double size) const {
  if (size <= points_.front().size) return points_.front().speed;
  if (size >= points_.back().size) return points_.back().speed;
  if (smooth_ != nullptr) return (*smooth_)(size);
  const auto above = std::ranges::lower_bound(points_, size, {}, &SpeedPoint::size);
  const SpeedPoint &low = *std::prev(above), &high = *above;
  return low.speed + (high.speed - low.speed) * (size - low.size) / (high.size - low.size);
}

void SpeedFunction::insert(SpeedPoint point) {
  check(point, "speed function");
  const auto place = std::ranges::lower_bound(points_, point.size, {}, &SpeedPoint::size);
  if (place != points_.end() && place->size == point.size)
    place->speed = point.speed;
  else
    points_.insert(place, point);
  fit("speed function");
}

void SpeedFunction::fit(const std::string& where) {
  smooth_ = nullptr;
  if (interpolation_ == Interpolation::linear || points_.size() < smooth_points_min) return;
  using Numbers = std::vector<double>;
  if (interpolation_ == Interpolation::cubic) {
    smooth_ = smooth_through<boost::math::interpolators::pchip<Numbers>>(points_);
    return;
  }
  smooth_ = smooth_through<boost::math::interpolators::makima<Numbers>>(points_);
  for (std::size_t k = 1; k < points_.size(); ++k)
    for (int part = 1; part < looked_at_between; ++part) {
      const double size = points_[k - 1].size + (points_[k].size - points_[k - 1].size) * part / looked_at_between;
      if (!((*smooth_)(size) > 0.0))
        throw DomainError("{}: akima overshoots to {:g} at size {:g} (speeds are positive). Use 'cubic'?", where,
                          (*smooth_)(size), size);
    }
}

}  // namespace orrery
