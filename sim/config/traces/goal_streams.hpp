/// Private to the reader of GOAL: a rank whose operations are on several cpus does several things at once.
///
/// Each cpu of such a rank becomes a stream, which is a rank of the trace, on the host of its rank. What an operation
/// requires of another cpu is a signal from stream to stream, which takes no time. A message goes from the stream that
/// sends it to the stream that receives it. So the file must say which these are: messages of one tag between two ranks
/// are sent on one cpu and received on one cpu, else the file is refused with the line.
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

/// `several`: the operations of the ranks that are on several cpus; none: nothing is done. The calls of all others are
/// in `trace` already, and are moved to where their rank is then. `lines`: the messages of all ranks of the file.
void write_streams(const std::map<std::uint32_t, std::vector<GoalOperation>>& several,
                   const std::vector<RankLines>& lines, Trace& trace, GoalNotes& notes);

}  // namespace orrery::config
