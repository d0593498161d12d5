/// Private to the reader of GOAL: a rank's graph of operations as calls in MPI order.
///
/// An operation without unfinished requirements is posted (isend, irecv) or computed as soon as its predecessors have
/// been; signals go before messages and messages before computing, else in the order of the file. If every remaining
/// operation must wait, the first of the file is taken and its requirements are waited for. A message that only the
/// very next call waits for is a blocking call. So a schedule from MPI calls (goal_text) gets its own order back, and
/// any other gets one of the orders that its graph permits.
///
/// This differs from LogGOPSim, where an operation starts as soon as its requirements are complete. Here a rank waits
/// for one thing at a time; `GoalNotes` counts the cases where that matters.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/core/trace.hpp"

namespace orrery::config {

struct GoalOperation {
  /// signal, await: of another stream of the rank (goal_streams.hpp).
  enum class Kind : std::uint8_t { calc, send, recv, signal, await } kind{};
  std::uint8_t cpu = 0;
  Rank peer{};
  Tag tag{};
  double amount = 0.0;  ///< ns or B
  std::uint32_t line = 0;
  std::vector<std::uint32_t> after;    ///< requires: operations of this rank that must end before it starts
  std::vector<std::uint32_t> started;  ///< irequires: operations that must start before it
};

struct GoalNotes {
  std::uint64_t orders = 0;            ///< waits at which another operation could have been next
  std::uint64_t behind_computing = 0;  ///< operations that may start with a calc and start after it
};

/// Writes the calls. Returns the first operation of a cycle, or -1.
std::int64_t write_in_order(const std::vector<GoalOperation>& operations, RankTrace& into, GoalNotes& notes);

}  // namespace orrery::config
