#include "sim/show/summary/shown_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "sim/show/summary/summary.hpp"

namespace orrery::show {

namespace {

/// One axis of the sweep, and how far apart the values are that stay.
struct SweptAxis {
  SettingValues setting;
  std::map<std::string, std::size_t> number_of;  ///< by value
  std::size_t stride = 1;

  bool stays(std::size_t number) const { return number % stride == 0 || number + 1 == setting.values.size(); }
  std::size_t staying() const {
    const std::size_t values = setting.values.size();
    return (values - 1) / stride + 1 + ((values - 1) % stride == 0 ? 0 : 1);
  }
};

std::vector<SweptAxis> axes_of(const ScenarioResult& result) {
  std::vector<SweptAxis> axes;
  for (auto& setting : setting_values(result)) {
    SweptAxis& axis = axes.emplace_back();
    axis.setting = std::move(setting);
    for (std::size_t v = 0; v < axis.setting.values.size(); ++v) axis.number_of.emplace(axis.setting.values[v], v);
  }
  return axes;
}

/// [points][axes]: the number of the point's value.
std::vector<std::size_t> coordinates_of(const ScenarioResult& result, const std::vector<SweptAxis>& axes) {
  std::vector<std::size_t> coordinates;
  coordinates.reserve(result.points.size() * axes.size());
  for (const auto& point : result.points)
    for (const auto& axis : axes)
      coordinates.push_back(axis.number_of.at(setting_of(point.settings, axis.setting.key)));
  return coordinates;
}

std::vector<std::size_t> staying_points(const std::vector<std::size_t>& coordinates, const std::vector<SweptAxis>& axes,
                                        std::size_t points) {
  std::vector<std::size_t> numbers;
  for (std::size_t p = 0; p < points; ++p) {
    bool stays = true;
    for (std::size_t a = 0; stays && a < axes.size(); ++a) stays = axes[a].stays(coordinates[p * axes.size() + a]);
    if (stays) numbers.push_back(p);
  }
  return numbers;
}

std::string words_of(const std::vector<SweptAxis>& axes) {
  std::vector<SettingValues> settings;
  for (const auto& axis : axes) settings.push_back(axis.setting);
  std::string words;
  for (const auto& axis : axes)
    if (axis.stride > 1)
      words += fmt::format("{}{} of the {} values of {}", words.empty() ? "" : ", ", axis.staying(),
                           axis.setting.values.size(), short_key(axis.setting.key, settings));
  return words;
}

}  // namespace

ShownPoints shown_points(const ScenarioResult& result, std::size_t points_max) {
  ShownPoints shown;
  shown.numbers.resize(result.points.size());
  std::iota(shown.numbers.begin(), shown.numbers.end(), std::size_t{0});
  if (result.points.size() <= points_max) return shown;
  auto axes = axes_of(result);
  const auto coordinates = coordinates_of(result, axes);
  while (shown.numbers.size() > points_max) {
    const auto longest = std::ranges::max_element(axes, {}, &SweptAxis::staying);
    if (longest == axes.end() || longest->staying() <= 2) break;
    longest->stride *= 2;
    shown.numbers = staying_points(coordinates, axes, result.points.size());
  }
  shown.thinned = words_of(axes);
  if (shown.numbers.size() > points_max) {  // hardly any axis, and many points on it
    shown.numbers.resize(points_max);
    shown.thinned += fmt::format("{}the first {}", shown.thinned.empty() ? "" : ", of these ", points_max);
  }
  return shown;
}

}  // namespace orrery::show
