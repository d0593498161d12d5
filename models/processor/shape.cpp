#include "models/processor/shape.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace orrery {

namespace {

constexpr int between = 16;
constexpr double slack = 1e-9;  // of a speed: rounding is no change of direction

std::vector<SpeedPoint> samples_of(const SpeedFunction& function) {
  std::vector<SpeedPoint> samples;
  const auto points = function.points();
  for (std::size_t k = 0; k + 1 < points.size(); ++k)
    for (int part = 0; part < between; ++part) {
      const double size = points[k].size + (points[k + 1].size - points[k].size) * part / between;
      samples.push_back({size, function.speed(size)});
    }
  samples.push_back(points.back());
  return samples;
}

double slope(const SpeedPoint& a, const SpeedPoint& b) { return (b.speed - a.speed) / (b.size - a.size); }

}  // namespace

SpeedShape shape_of(const SpeedFunction& function) {
  const auto samples = samples_of(function);
  SpeedShape shape;
  const auto top = std::ranges::max_element(samples, {}, &SpeedPoint::speed);
  const auto peak = static_cast<std::size_t>(top - samples.begin());
  shape.falls_from = top->size;
  for (std::size_t k = 1; k < samples.size(); ++k) {
    const SpeedPoint &before = samples[k - 1], &here = samples[k];
    const bool rises = here.speed > before.speed * (1.0 + slack), falls = here.speed < before.speed * (1.0 - slack);
    if (k > peak && rises && !shape.fall) shape.fall = {here.size, "rises again after its greatest speed"};
    if (k <= peak && !shape.rise) {
      if (falls) shape.rise = {here.size, "falls before its greatest speed"};
      if (k >= 2 && slope(before, here) > slope(samples[k - 2], before) + slack * here.speed / here.size)
        shape.rise = {before.size, "rises faster and faster (it should be concave there)"};
    }
    if (!shape.one_cut && !(before.size * here.speed < here.size * before.speed * (1.0 + slack)))
      shape.one_cut = {here.size, "rises as fast as a line through the origin: a larger task takes no longer"};
  }
  return shape;
}

std::vector<std::string> SpeedShape::defects() const {
  std::vector<std::string> sentences;
  for (const auto* defect : {&rise, &fall, &one_cut})
    if (*defect) sentences.push_back(fmt::format("at size {:g} the speed {}", (*defect)->size, (*defect)->what));
  return sentences;
}

}  // namespace orrery
