/// Runs one shard of a scenario's points with its own store. Models are not used here: their measurements are the same
/// for all points, so the merge makes them once.
///
///   play_shard(request, shard_number("3/20"), "out-3-of-20", {.jobs = 2, .resume = true});
///
/// The results are those of a run of the whole scenario, bit for bit: the amount kept per point depends on the total
/// number of points.
#pragma once

#include <string>

#include "sim/study/shard/shard_state.hpp"

namespace orrery::study {

struct ShardOptions {
  unsigned jobs = 1;
  bool resume = false;  ///< points in the store are not simulated again, failed ones are
};

/// Returns the final state. Throws Interrupted when stopped; finished points are kept.
ShardState play_shard(const RunRequest& request, const ShardNumber& shard, const std::string& folder,
                      const ShardOptions& options);

}  // namespace orrery::study
