/// Traces of ranks that do several things at the same time: each of these is a stream, which is a rank of the trace.
///
///   placed_ranks(trace)       ranks of the file; a layout places these
///   streams(trace, rank)      number of consecutive ranks of the trace, on one host, that form a rank of the file
///
/// A group of the trace on the communicator `between_streams` holds the streams of one rank. An action of a stream that
/// follows one of another stream waits for a signal: a message of no size on that communicator, which takes no time.
///
/// Checked  tests/unit/config/traces/goal_streams_test.cpp, tests/replay/streams_test.cpp
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/core/error.hpp"
#include "sim/core/trace.hpp"

namespace orrery {

/// Carries only signals.
inline constexpr Communicator between_streams{0xffffffffu};

/// Precedes the kind of a call that is a signal, and is its TraceCall::group.
inline constexpr std::uint8_t signal_prefix = 0xfe;
inline constexpr std::uint32_t signal_group = 0xffffffffu;

inline bool is_signal(const TraceCall& call) { return call.group == signal_group; }

/// [ranks of the file] number of streams of each; empty if each has one.
inline std::vector<std::uint32_t> streams_of(const Trace& trace) {
  std::vector<std::uint32_t> streams;
  std::uint32_t rank = 0;  // of the trace
  for (const Group& group : trace.groups) {
    if (group.communicator() != between_streams) continue;
    for (; Rank{rank} < group.rank(0); ++rank) streams.push_back(1);
    streams.push_back(group.size());
    rank += group.size();
  }
  if (streams.empty()) return streams;
  for (; rank < trace.ranks.size(); ++rank) streams.push_back(1);
  return streams;
}

inline std::uint32_t placed_ranks(const Trace& trace) {
  const auto streams = streams_of(trace);
  return static_cast<std::uint32_t>(streams.empty() ? trace.ranks.size() : streams.size());
}

/// Throws InputError if a rank does several things at the same time; `who` cannot express that. `remedy` ends the text.
inline void require_one_stream(const Trace& trace, const std::string& who, const std::string& remedy) {
  const auto streams = streams_of(trace);
  const auto several = std::ranges::find_if(streams, [](std::uint32_t count) { return count > 1; });
  if (several == streams.end()) return;
  throw InputError("{}: rank {} works on several cpus at the same time ({} one thing after another). {}?", trace.file,
                   several - streams.begin(), who, remedy);
}

}  // namespace orrery
