#include <algorithm>
#include <map>

#include "sim/core/trace_of.hpp"

namespace orrery {

namespace {

/// Copies one rank's calls with the times that a compute model gives its amounts.
void retime(const RankTrace& from, RankTrace& into, Rank me, const ComputeModel& compute, double speed) {
  TraceCursor cursor(from);
  TraceCall call;
  std::uint64_t computes = 0;
  const auto on_traced_host = [&](double flops) {
    if (speed > 0.0) return flops / speed * traced_speed;
    return compute.sampled_time(Compute{Work::generic, Flops(flops), {}}, me, computes).si() * traced_speed;
  };
  for (std::size_t begin = 0; cursor.next(call);) {
    const std::size_t end = from.bytes.size() - cursor.bytes_left();
    TraceWriter writer(into);
    if (call.kind == TraceCall::Kind::compute) {
      writer.compute(on_traced_host(call.amount));
    } else if (call.kind == TraceCall::Kind::collective && call.reduction != 0.0) {
      call.reduction = on_traced_host(call.reduction);
      writer.collective(call);
    } else {
      writer.copy(from.bytes, begin, end);
    }
    const bool counted = call.kind == TraceCall::Kind::compute || call.kind == TraceCall::Kind::sleep ||
                         (call.kind == TraceCall::Kind::collective && call.reduction != 0.0);
    computes += counted ? 1 : 0;
    begin = end;
  }
}

}  // namespace

Trace retimed(const Trace& trace, const ComputeModel& compute, double speed) {
  Trace result = trace;
  if (speed == 0.0) speed = trace.speed;
  result.speed = traced_speed;
  for (std::uint32_t rank = 0; rank < trace.ranks.size(); ++rank) {
    result.ranks[rank] = {};
    retime(trace.ranks[rank], result.ranks[rank], Rank{rank}, compute, speed);
  }
  return result;
}

std::string communication_phase(const Trace& trace) {
  constexpr const char* usual = "communication";
  if (trace.names.empty()) return usual;
  std::map<std::string, std::uint64_t> messages;
  for (const RankTrace& rank : trace.ranks) {
    TraceCursor cursor(rank);
    TraceCall call;
    std::uint64_t* here = &messages[default_phase];
    while (cursor.next(call)) {
      using Kind = TraceCall::Kind;
      if (call.kind == Kind::phase) here = &messages[trace.names[call.number]];
      *here += call.kind == Kind::send || call.kind == Kind::isend || call.kind == Kind::collective ? 1 : 0;
    }
  }
  if (messages.contains(usual)) return usual;
  const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
  return std::max_element(messages.begin(), messages.end(), fewer)->first;
}

}  // namespace orrery
