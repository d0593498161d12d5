#include "sim/study/play/trace_range.hpp"

#include <fmt/format.h>

#include <charconv>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery::app {

namespace {

/// The '-' between two values, not the one of an exponent ("1e-3s").
std::size_t dash_of(const std::string& text) {
  for (std::size_t i = text.find('-', 1); i != std::string::npos; i = text.find('-', i + 1))
    if (text[i - 1] != 'e' && text[i - 1] != 'E') return i;
  return std::string::npos;
}

Rank rank_of(const std::string& text, const std::string& whole) {
  std::uint32_t rank = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), rank);
  if (problem != std::errc{} || end != text.data() + text.size() || text.empty())
    throw InputError(fmt::format(
        "--trace-ranks: '{}' names no ranks (FIRST-LAST, or one rank). Write '--trace-ranks 0-15'?", whole));
  return Rank{rank};
}

Seconds time_of(const std::string& text, const std::string& whole) {
  const ParsedQuantity parsed = parse_quantity(text, Dimension::time);
  if (!parsed.si) throw InputError(fmt::format("--trace-time: '{}' of '{}' is {}", text, whole, parsed.problem));
  return Seconds{*parsed.si};
}

}  // namespace

void TraceRange::apply(ReplayOptions& options) const {
  options.trace_ranks = ranks;
  options.trace_from_s = from.si();
  options.trace_until_s = until.si();
}

void TraceRange::require_ranks(std::uint32_t count) const {
  if (ranks && index(ranks->second) >= count)
    throw InputError(fmt::format("--trace-ranks: '{}' ends beyond the last rank (ranks 0 to {}). Write '{}-{}'?",
                                 ranks_text, count - 1, std::min<std::size_t>(index(ranks->first), count - 1),
                                 count - 1));
}

TraceRange trace_range(const std::string& ranks, const std::string& time) {
  TraceRange range;
  if (!ranks.empty()) {
    const auto dash = dash_of(ranks);
    const Rank first = rank_of(ranks.substr(0, dash), ranks);
    const Rank last = dash == std::string::npos ? first : rank_of(ranks.substr(dash + 1), ranks);
    if (last < first)
      throw InputError(fmt::format("--trace-ranks: '{}' ends before it begins (FIRST-LAST). Write '{}-{}'?", ranks,
                                   index(last), index(first)));
    range.ranks = {first, last};
    range.ranks_text = ranks;
  }
  if (!time.empty()) {
    const auto dash = dash_of(time);
    if (dash == std::string::npos)
      throw InputError(fmt::format("--trace-time: '{}' is not a span of time (FROM-UNTIL). Write '--trace-time 0s-{}'?",
                                   time, parse_quantity(time, Dimension::time).si ? time : "2ms"));
    range.from = time_of(time.substr(0, dash), time);
    range.until = time_of(time.substr(dash + 1), time);
    if (!(range.from < range.until))
      throw InputError(fmt::format("--trace-time: '{}' ends before it begins (FROM-UNTIL). Write '{}-{}'?", time,
                                   time.substr(dash + 1), time.substr(0, dash)));
  }
  return range;
}

}  // namespace orrery::app
