/// What of a point has a place in result.json, so that it stays below a megabyte whatever was played.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "sim/show/result/json.hpp"

namespace orrery::show {

inline constexpr std::size_t phases_max = 1'500, resources_max = 500, traffic_max = 4'000, ranks_max = 2'048,
                             rounds_max = 15'000;

inline std::size_t kept(std::size_t all, std::size_t most, const JsonOptions& options) {
  return options.full ? all : std::min(all, most);
}

/// A point without what has no place. Nothing is copied of one that has place as it is.
class Bounded {
 public:
  Bounded(const PointResult& whole, const JsonOptions& options);

  const PointResult& point() const { return cut_ ? *cut_ : whole_; }
  /// Records that its phases lack; a sum of each phase stands for them.
  std::size_t phases_left_out() const { return phases_left_out_; }
  /// Ranks of which no place is said.
  std::size_t ranks_left_out() const { return ranks_left_out_; }

 private:
  const PointResult& whole_;
  std::optional<PointResult> cut_;
  std::size_t phases_left_out_ = 0, ranks_left_out_ = 0;
};

/// One record for each phase by name: the sum of those from `first` on.
std::vector<PhaseRecord> phase_sums(const std::vector<PhaseRecord>& phases, std::size_t first);

/// Which resources have a place: those that carried most of what they could.  [resources]
std::vector<bool> shown_resources(const RunResult& run, const JsonOptions& options);

}  // namespace orrery::show
