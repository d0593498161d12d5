/// Private to the readers of traces: checks that every send has its receive, and that ranks' collectives agree.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/core/trace.hpp"

namespace orrery::config {

/// A send (peer: to) or receive (peer: from, or any) of one rank, and its line.
struct TraceTransfer {
  Rank peer{};
  Tag tag{};
  std::uint32_t line = 0;
  float bytes = 0.0F;  ///< sent, or the most that can be received: rounding keeps their order
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

/// `where(rank, line)` begins a message: "file:line". Throws InputError for the first send without a receive, the first
/// receive without a send or shorter than its message, and for ranks whose collectives differ. Receives from any source
/// or with any tag are counted, not matched: their match depends on time.
void require_matched(const std::vector<RankLines>& ranks, const std::vector<Group>& groups,
                     const std::function<std::string(std::uint32_t rank, std::uint32_t line)>& where);

}  // namespace orrery::config
