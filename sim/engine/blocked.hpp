/// What to tell the user when a program cannot go on: blocked ranks, what they wait for, and the cycle; of many ranks
/// sixteen, those of the cycle first.
#pragma once

#include <string>
#include <vector>

#include "sim/core/step.hpp"

namespace orrery::engine {

/// One thing a blocked rank waits for.
struct Awaited {
  enum class What : std::uint8_t { message, receiver, barrier };
  What what = What::message;
  Rank peer = any_rank;  ///< message: its source; receiver: who does not receive; barrier: a rank that has not entered
  Tag tag = any_tag;
  Bytes message;
  Communicator communicator = world;
};

struct BlockedRank {
  Rank rank{};
  std::vector<Awaited> awaits;  ///< all of them are needed
};

/// The error text: 'where' names program, ranks and time. `unfinished` lists the ranks that have not ended, so that a
/// message awaited from a rank that has ended reads 'which never sends it'.
std::string blocked_report(const std::string& program, std::uint32_t ranks, double now,
                           const std::vector<BlockedRank>& blocked);

/// A cycle of ranks each of which waits for the next, starting at its least rank; empty when there is none.
std::vector<Rank> find_cycle(const std::vector<BlockedRank>& blocked);

}  // namespace orrery::engine
