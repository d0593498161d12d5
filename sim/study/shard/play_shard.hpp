/// Plays one shard of a scenario's points into a store of its own. Models are not asked: what they are measured with is
/// the same for all points, so the merge asks them, once.
///
///   play_shard(request, shard_number("3/20"), "out-3-of-20", {.jobs = 2, .resume = true});
///
/// The results are those of a run of the whole scenario, bit for bit: what is kept of a point depends on how many there
/// are in all.
#pragma once

#include <string>

#include "sim/study/shard/shard_state.hpp"

namespace orrery::study {

struct ShardOptions {
  unsigned jobs = 1;
  bool resume = false;  ///< what the store has is not played again; failed points are
};

/// The state that it ends with. Throws Interrupted when stopped, what ended being kept.
ShardState play_shard(const RunRequest& request, const ShardNumber& shard, const std::string& folder,
                      const ShardOptions& options);

}  // namespace orrery::study
