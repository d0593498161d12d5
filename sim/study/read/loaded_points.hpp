/// The points of a scenario with all their data, loaded at the request for each: a sweep of 100,000 points is never in
/// memory as a whole. Up to `kept_max` points are loaded once and kept.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sim/study/read/point.hpp"
#include "sim/study/read/scenario.hpp"

namespace orrery::study {

class LoadedPoints {
 public:
  static constexpr std::size_t kept_max = 64;

  /// `all`: keep every point, however many there are (models of whole runs use all of them together).
  /// `time`: for partitioners that time candidates.
  LoadedPoints(const Scenario& scenario, bool all, TimeOfPoint time = {});

  std::size_t size() const { return scenario_.points.size(); }
  /// Callable on any thread. Throws InputError for a point that cannot be loaded.
  std::shared_ptr<const LoadedPoint> at(std::size_t point) const;
  /// Distinguishes the point from the others, like `label_of`.
  std::string label(std::size_t point) const;

 private:
  const Scenario& scenario_;
  mutable std::mutex guard_;
  mutable PointLoader loader_;
  mutable std::vector<std::shared_ptr<const LoadedPoint>> kept_;
};

/// "summa, blocks 128": what distinguishes a point, or the scenario's name.
std::string label_of(const Settings& settings, const Scenario& scenario);

}  // namespace orrery::study
