/// What a program sends and computes in all, for tests of kernels against closed forms.
#pragma once

#include <doctest/doctest.h>

#include <map>
#include <utility>

#include "tests/support/recorder.hpp"

namespace orrery::test {

struct Totals {
  std::size_t messages = 0;
  double bytes = 0.0, flops = 0.0, traffic = 0.0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, double> between;  ///< bytes from, to
  std::map<std::uint32_t, double> sent, computed;                     ///< bytes and flops of each rank
};

/// Plays the program without a clock; messages must match.
inline Totals totals(const Program& program) {
  const Recording recording = record(program);
  const MatchedRun run = match_messages(recording, SendEnds::received);
  CHECK(run.defect == "");
  Totals result;
  result.messages = run.messages.size();
  for (const auto& message : run.messages) {
    const auto from = static_cast<std::uint32_t>(message.from), to = static_cast<std::uint32_t>(message.to);
    result.bytes += message.size.si();
    result.between[{from, to}] += message.size.si();
    result.sent[from] += message.size.si();
  }
  for (std::uint32_t rank = 0; rank < recording.ranks(); ++rank)
    for (const Step& step : recording.steps[rank])
      if (const auto* work = std::get_if<Compute>(&step)) {
        result.flops += work->flops.si();
        result.traffic += work->traffic.si();
        result.computed[rank] += work->flops.si();
      }
  return result;
}

}  // namespace orrery::test
