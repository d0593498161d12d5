/// What the collectives of a run came to, for the terminal: which algorithm was chosen, how long it took, bandwidth.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/core/scenario_result.hpp"

namespace orrery::show {

/// Records of one kind. Those that differ in size alone are one where there are many: `bytes` is then the mean.
struct CollectiveSum {
  CollectiveRecord record;
  Bytes least, most;
};

/// Those that took longest in all, longest first.
std::vector<CollectiveSum> longest_collectives(const RunResult& run, std::size_t sums_max);

/// Of a single point its longest collectives, of a sweep the longest of each point; empty without collectives.
std::string collectives_table(const ScenarioResult& result, std::size_t width, bool color, std::size_t rows_max);

}  // namespace orrery::show
