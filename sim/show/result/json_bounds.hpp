/// The part of a point that result.json contains, so that the point stays below a megabyte for any run.
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

/// A point without the parts that are left out. Nothing is copied if everything is included.
class Bounded {
 public:
  Bounded(const PointResult& whole, const JsonOptions& options);

  const PointResult& point() const { return cut_ ? *cut_ : whole_; }
  /// Number of phase records that are left out; a sum for each phase replaces them.
  std::size_t phases_left_out() const { return phases_left_out_; }
  /// Number of ranks whose place is left out.
  std::size_t ranks_left_out() const { return ranks_left_out_; }

 private:
  const PointResult& whole_;
  std::optional<PointResult> cut_;
  std::size_t phases_left_out_ = 0, ranks_left_out_ = 0;
};

/// One record for each phase by name: the sum of those from `first` on.
std::vector<PhaseRecord> phase_sums(const std::vector<PhaseRecord>& phases, std::size_t first);

/// Whether each resource is included: those with the highest load are.  [resources]
std::vector<bool> shown_resources(const RunResult& run, const JsonOptions& options);

}  // namespace orrery::show
