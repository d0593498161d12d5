/// Merging of shards: all their results in one store, and from there the result of a single run.
///
///   const Merge merge = merge_of(shards_named({"out"}));   // the request and the scenario of the shards
///   take_results(merge, store);
///   run_into("out", merge.scenario, merge.options, "table", store);
///
/// It may be repeated.
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
  RunRequest request;  ///< with the path of the scenario relative to here
  Scenario scenario;
  RunOptions options;
};

/// Throws InputError for shards of different scenarios, of other builds, of a scenario that has changed since, and if a
/// shard is missing or has not ended; the error names it.
Merge merge_of(std::vector<ShardState> shards, unsigned jobs);

void take_results(const Merge& merge, ResultStore& store);

/// The error if points are missing although every shard ended: by shard, with the command that simulates them.
std::string missing_sentence(const Merge& merge, const PointsMissing& missing, unsigned jobs);

}  // namespace orrery::study
