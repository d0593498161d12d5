/// The state of a shard in `shard.json` of its folder: its scenario and its progress. The file is written as a whole at
/// the beginning, at most once a second, and at the end, so that it can be read at any time, on any filesystem, while
/// the store next to it is locked.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/study/shard/run_request.hpp"
#include "sim/study/shard/shards.hpp"

namespace orrery::study {

struct ShardState {
  std::string name;       ///< of the scenario
  std::string directory;  ///< that the request's path of the scenario is relative to
  std::string identity;   ///< of the request
  std::string build;      ///< build_identity()
  RunRequest request;
  ShardNumber shard;
  std::size_t points = 0, done = 0, failed = 0;  ///< of this shard; done are those that did not fail
  std::size_t all_points = 0;                    ///< of all shards
  bool ended = false;
  std::string folder = {};  ///< where it was read; not written

  std::size_t left() const { return points - done - failed; }
};

inline constexpr const char* shard_file = "shard.json";

/// "out-3-of-20"
std::string shard_folder(const std::string& out, const ShardNumber& shard);

void write_state(const std::string& folder, const ShardState& state);
/// Throws InputError if there is none.
ShardState read_state(const std::string& folder);

/// The shard folders for a name: the folder itself, or its shards next to it (`out` for out-1-of-20, out-2-of-20 ...).
/// Throws InputError if there are none.
std::vector<ShardState> shards_named(const std::vector<std::string>& names);

}  // namespace orrery::study
