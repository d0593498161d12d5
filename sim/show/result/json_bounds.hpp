/// What of a point has a place in result.json, so that it stays below a megabyte whatever was played.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "sim/show/result/json.hpp"

namespace orrery::report {

inline constexpr std::size_t phases_max = 1'500, resources_max = 500, traffic_max = 4'000, ranks_max = 2'048,
                             rounds_max = 15'000;

inline std::size_t kept(std::size_t all, std::size_t most, const JsonOptions& options) {
  return options.full ? all : std::min(all, most);
}

/// Whether ranks have a row each; if not, how many they are is said instead.
inline bool lists_ranks(std::size_t ranks, const JsonOptions& options) { return options.full || ranks <= ranks_max; }

/// One record for each phase by name: the sum of those from `first` on.
std::vector<PhaseRecord> phase_sums(const std::vector<PhaseRecord>& phases, std::size_t first);

/// Which resources have a place: those that carried most of what they could.  [resources]
std::vector<bool> shown_resources(const RunResult& run, const JsonOptions& options);

/// Pairs in the matrix of who sends to whom.
std::size_t traffic_rows(const PointResult& point);

/// Numbers in what a partitioner told of its rounds.
std::size_t numbers_of_rounds(const PointResult& point);

}  // namespace orrery::report
