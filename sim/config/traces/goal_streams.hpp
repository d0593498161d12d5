/// Private to the reader of GOAL: ranks whose operations are on several cpus, and so run several at the same time.
///
/// Each cpu of such a rank becomes a stream, which is a rank of the trace, on the host of its rank. A requirement on an
/// operation of another cpu becomes a signal from stream to stream, which takes no time. A message goes from the stream
/// that sends it to the stream that receives it. The file must determine these streams: messages of one tag between two
/// ranks are sent on one cpu and received on one cpu, else the file is refused with the line.
///
/// Checked  tests/unit/config/traces/goal_streams_test.cpp, tests/replay/streams_test.cpp
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sim/config/traces/goal_order.hpp"
#include "sim/config/traces/trace_matching.hpp"

namespace orrery::config {

[[noreturn]] void refuse_cycle(const std::string& file, const GoalOperation& operation, std::uint32_t rank);

/// `several`: the operations of the ranks that are on several cpus; empty: does nothing. The calls of the others are
/// already in `trace`, and move to their ranks' new numbers. `lines`: messages of all ranks of the file.
void write_streams(const std::map<std::uint32_t, std::vector<GoalOperation>>& several,
                   const std::vector<RankLines>& lines, Trace& trace, GoalNotes& notes);

}  // namespace orrery::config
