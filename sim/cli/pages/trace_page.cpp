#include "sim/cli/pages/trace_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

#include "sim/core/quantity_text.hpp"
#include "sim/core/trace_streams.hpp"

namespace orrery::cli {

namespace {

struct Sum {
  std::uint64_t calls = 0;
  double amount = 0.0, least = 0.0, most = 0.0;

  void add(double value) {
    least = calls == 0 ? value : std::min(least, value);
    most = calls == 0 ? value : std::max(most, value);
    amount += value;
    ++calls;
  }
};

enum class Unit : std::uint8_t { none, flop, seconds, bytes };

Unit unit_of(TraceCall::Kind kind) {
  using Kind = TraceCall::Kind;
  switch (kind) {
    case Kind::compute:
      return Unit::flop;
    case Kind::sleep:
      return Unit::seconds;
    case Kind::send:
    case Kind::recv:
    case Kind::isend:
    case Kind::irecv:
    case Kind::collective:
      return Unit::bytes;
    default:
      return Unit::none;
  }
}

std::string text_of(Unit unit, double value) {
  switch (unit) {
    case Unit::flop:
      return fmt::format("{:.4g} flop", value);
    case Unit::seconds:
      return to_text(Seconds(value));
    case Unit::bytes:
      return to_text(Bytes(value));
    case Unit::none:
      break;
  }
  return "";
}

/// Bytes a rank gives to a collective: its amount, or the sum of its counts.
double given(const TraceCall& call) {
  if (call.kind != TraceCall::Kind::collective || call.counts.empty()) return call.amount;
  double sum = 0.0;
  const std::size_t sent = call.what == Operation::alltoallv ? call.counts.size() / 2 : call.counts.size();
  if (call.what == Operation::allgatherv) return call.amount;
  for (std::size_t i = 0; i < sent; ++i) sum += static_cast<double>(call.counts[i]);
  return sum;
}

}  // namespace

std::string trace_page(const Trace& trace) {
  std::map<std::pair<TraceCall::Kind, std::string>, Sum> sums;
  std::size_t bytes = 0;
  for (const RankTrace& rank : trace.ranks) {
    bytes += rank.bytes.size();
    TraceCursor cursor(rank);
    for (TraceCall call; cursor.next(call);) {
      const bool collective = call.kind == TraceCall::Kind::collective;
      const bool awaits = call.kind == TraceCall::Kind::recv || call.kind == TraceCall::Kind::irecv;
      const char* name = collective        ? operation_name(call.what)
                         : is_signal(call) ? (awaits ? "await signal" : "signal")
                                           : trace_call_name(call.kind);
      sums[{call.kind, name}].add(unit_of(call.kind) == Unit::none ? 0.0 : given(call));
    }
  }
  std::string text =
      fmt::format("{}: {} trace, {} ranks, {} calls ({} in memory)", trace.file, trace.kind == "goal" ? "GOAL" : "TI",
                  placed_ranks(trace), trace.calls(), to_text(Bytes(static_cast<double>(bytes))));
  if (trace.speed > 0.0)
    text += fmt::format("\ncompute amounts are for hosts of {}", to_text(FlopsPerSecond(trace.speed)));
  fmt::format_to(std::back_inserter(text), "\n\n{:<16}{:>12}{:>16}{:>16}{:>16}\n", "call", "calls", "total", "smallest",
                 "largest");
  for (const auto& [key, sum] : sums) {
    const Unit unit = unit_of(key.first);
    std::string line = fmt::format("{:<16}{:>12}{:>16}{:>16}{:>16}", key.second, sum.calls, text_of(unit, sum.amount),
                                   text_of(unit, sum.least), text_of(unit, sum.most));
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  for (const std::string& note : trace.notes) text += fmt::format("note: {}\n", note);
  return text;
}

}  // namespace orrery::cli
