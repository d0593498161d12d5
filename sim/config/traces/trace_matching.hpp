/// Private to the readers of traces: does every send have its receive, and does every rank enter the same collectives?
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/core/trace.hpp"

namespace orrery::config {

/// A send (peer: to) or receive (peer: from, or any) of one rank, and the line it stands in.
struct TraceTransfer {
  Rank peer{};
  Tag tag{};
  std::uint32_t line = 0;
  float bytes = 0.0F;  ///< sent, or the most that is received: rounding keeps their order
};

struct TraceCollectiveLine {
  Operation what{};
  Rank root{};
  double amount = 0.0;
  std::uint32_t line = 0;
  std::uint32_t group = 0;  ///< TraceCall::group
};

struct RankLines {
  std::vector<TraceTransfer> sends, receives;
  std::vector<TraceCollectiveLine> collectives;
};

/// `where(rank, line)` opens a message: "file:line". Throws InputError for the first send that nobody receives, the
/// first receive that nobody sends or that is shorter than its message, and for ranks whose collectives differ.
/// Receives of any source or tag are counted, not matched: who gets which depends on time.
void require_matched(const std::vector<RankLines>& ranks, const std::vector<Group>& groups,
                     const std::function<std::string(std::uint32_t rank, std::uint32_t line)>& where);

}  // namespace orrery::config
