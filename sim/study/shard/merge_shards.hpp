/// Shards put together: every result of theirs in one store, and from there the result as of one run.
///
///   const Merge merge = merge_of(shards_named({"out"}));   // the request, the scenario; whose shards they are
///   take_results(merge, store);
///   run_into("out", merge.scenario, merge.options, "table", store);
///
/// May be done again and again.
///
/// Checked  tests/cli/shards.sh
#pragma once

#include <string>
#include <vector>

#include "sim/study/shard/shard_state.hpp"
#include "sim/study/store/result_store.hpp"

namespace orrery::study {

struct Merge {
  std::vector<ShardState> shards;
  RunRequest request;  ///< with a path of the scenario that is valid here
  Scenario scenario;
  RunOptions options;
};

/// Throws InputError for shards of different scenarios, of other builds, of a scenario that has changed since, and
/// where one is missing or has not ended, naming which.
Merge merge_of(std::vector<ShardState> shards, unsigned jobs);

void take_results(const Merge& merge, ResultStore& store);

/// What is said when points are missing although every shard ended: by shard, and the command that plays them.
std::string missing_sentence(const Merge& merge, const PointsMissing& missing, unsigned jobs);

}  // namespace orrery::study
