/// Private to the reader of GOAL: a rank's graph of operations as calls in MPI order.
///
/// An operation that requires nothing unfinished is posted (isend, irecv) or computed as soon as what it comes after
/// has been; signals go before messages and messages before computing, else in the order of the file. When every operation that is left must wait,
/// the first of the file is taken and what it requires is waited for. A message that the very next call waits for alone
/// is a blocking call. So a schedule that MPI could have made (goal_text) comes back in its own order, and any other is
/// played in one of the orders that its graph allows.
///
/// Not the same as LogGOPSim: it lets an operation start as soon as what it requires is over, while a rank here waits
/// for one thing at a time; `GoalNotes` counts where that matters.
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
  std::vector<std::uint32_t> after;    ///< requires: operations of this rank that end before it starts
  std::vector<std::uint32_t> started;  ///< irequires: that start before it does
};

struct GoalNotes {
  std::uint64_t orders = 0;            ///< waits at which another operation could have been next
  std::uint64_t behind_computing = 0;  ///< operations that may start with a calc and start after it
};

/// Writes the calls. Returns the first operation of a cycle, or -1.
std::int64_t write_in_order(const std::vector<GoalOperation>& operations, RankTrace& into, GoalNotes& notes);

}  // namespace orrery::config
