/// The report on a program that cannot continue: blocked ranks, what they wait for, and the cycle. Of many ranks it
/// shows sixteen, those of the cycle first.
#pragma once

#include <string>
#include <vector>

#include "sim/core/step.hpp"

namespace orrery::engine {

/// One condition that a blocked rank waits for.
struct Awaited {
  enum class What : std::uint8_t { message, receiver, barrier };
  What what = What::message;
  Rank peer = any_rank;  ///< message: its source; receiver: who does not receive; barrier: one not in it
  Tag tag = any_tag;
  Bytes message;
  Communicator communicator = world;
};

struct BlockedRank {
  Rank rank{};
  std::vector<Awaited> awaits;  ///< the rank waits for all of them
};

/// The error text: 'where' names program, ranks and time. `unfinished` lists the ranks that have not ended, so that a
/// message awaited from a rank that has ended reads 'which never sends it'.
std::string blocked_report(const std::string& program, std::uint32_t ranks, double now,
                           const std::vector<BlockedRank>& blocked);

/// A cycle of ranks, each of which waits for the next, starting at the lowest rank; empty if there is none.
std::vector<Rank> find_cycle(const std::vector<BlockedRank>& blocked);

}  // namespace orrery::engine
