#include "sim/study/read/loaded_points.hpp"

#include <fmt/format.h>

#include <utility>

#include "sim/core/doing.hpp"

namespace orrery::study {

LoadedPoints::LoadedPoints(const Scenario& scenario, bool all, TimeOfPoint time)
    : scenario_(scenario),
      loader_(scenario.folder(),
              scenario.engine + (scenario.approximate > 0.0 ? fmt::format(", within {}", scenario.approximate) : ""),
              scenario.ignore_memory, std::move(time)) {
  if (all || size() <= kept_max) kept_.resize(size());
}

std::shared_ptr<const LoadedPoint> LoadedPoints::at(std::size_t point) const {
  const std::lock_guard lock(guard_);
  if (point < kept_.size() && kept_[point]) return kept_[point];
  const About about("making", label(point));
  auto loaded = std::make_shared<const LoadedPoint>(loader_.load(scenario_.points[point]));
  if (point < kept_.size()) kept_[point] = loaded;
  return loaded;
}

std::string LoadedPoints::label(std::size_t point) const {
  return label_of(scenario_.points.settings(point), scenario_);
}

std::string label_of(const Settings& settings, const Scenario& scenario) {
  std::string label;
  for (const auto& [key, value] : settings) label += (label.empty() ? "" : ", ") + value;
  return label.empty() ? scenario.name : label;
}

}  // namespace orrery::study
