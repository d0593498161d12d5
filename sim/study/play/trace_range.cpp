#include "sim/study/play/trace_range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>

#include "sim/core/error.hpp"
#include "sim/core/quantity_text.hpp"

namespace orrery::study {

namespace {

/// The '-' between two values, not the one of an exponent ("1e-3s").
std::size_t dash_of(const std::string& text) {
  for (std::size_t i = text.find('-', 1); i != std::string::npos; i = text.find('-', i + 1))
    if (text[i - 1] != 'e' && text[i - 1] != 'E') return i;
  return std::string::npos;
}

constexpr const char* word_of_stages = "stages";

[[noreturn]] void refuse(const std::string& whole) {
  throw InputError(
      "--trace-ranks: '{}' names no ranks (a list of RANK, FIRST-LAST or FIRST-LAST/STEP, or '{}'). Write "
      "'--trace-ranks 0-15'?",
      whole, word_of_stages);
}

/// The number that the text begins with, which is taken off.
std::uint32_t number_of(std::string_view& text, const std::string& whole) {
  std::uint32_t number = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (problem != std::errc{}) refuse(whole);
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool takes(std::string_view& text, char sign) {
  if (text.empty() || text.front() != sign) return false;
  text.remove_prefix(1);
  return true;
}

TraceRange::Part part_of(std::string_view text, const std::string& whole) {
  TraceRange::Part part;
  part.first = part.last = number_of(text, whole);
  if (takes(text, '-')) {
    part.last = number_of(text, whole);
    if (takes(text, '/')) part.step = number_of(text, whole);
  }
  if (!text.empty() || part.step == 0) refuse(whole);
  if (part.last < part.first)
    throw InputError("--trace-ranks: '{}' ends before it begins (FIRST-LAST). Write '{}-{}'?", whole, part.last,
                     part.first);
  return part;
}

Seconds time_of(const std::string& text, const std::string& whole) {
  const ParsedQuantity parsed = parse_quantity(text, Dimension::time);
  if (!parsed.si) throw InputError("--trace-time: '{}' of '{}' is {}", text, whole, parsed.problem);
  return Seconds{*parsed.si};
}

}  // namespace

void TraceRange::apply(ReplayOptions& options, std::uint32_t ranks, std::uint32_t in_stages) const {
  options.trace_from_s = from.si();
  options.trace_until_s = until.si();
  options.trace_ranks.clear();
  if (stages && in_stages == 0)
    throw InputError(
        "--trace-ranks: '{}' asks for one rank of each pipeline stage, and the program has none (kernels with a "
        "parameter 'pipeline'). Write '--trace-ranks 0-{}/{}'?",
        word_of_stages, ranks - 1, std::max(1u, ranks / 16));
  for (std::uint32_t stage = 0; stages && stage < in_stages; ++stage)
    options.trace_ranks.push_back(Rank{static_cast<std::uint32_t>(std::uint64_t{stage} * ranks / in_stages)});
  for (const auto& [first, last, step] : parts) {
    if (last >= ranks)
      throw InputError("--trace-ranks: '{}' ends beyond the last rank (ranks 0 to {}). Write '{}-{}'?", ranks_text,
                       ranks - 1, std::min(first, ranks - 1), ranks - 1);
    for (std::uint64_t rank = first; rank <= last; rank += step)
      options.trace_ranks.push_back(Rank{static_cast<std::uint32_t>(rank)});
  }
  std::ranges::sort(options.trace_ranks);
  // Not std::ranges::unique: a subrange is an error of clang 15 with libstdc++.
  options.trace_ranks.erase(std::unique(options.trace_ranks.begin(), options.trace_ranks.end()),
                            options.trace_ranks.end());
}

TraceRange trace_range(const std::string& ranks, const std::string& time) {
  TraceRange range;
  range.ranks_text = ranks;
  range.stages = ranks == word_of_stages;
  for (std::size_t at = 0; !range.stages && !ranks.empty() && at <= ranks.size();) {
    const std::size_t end = std::min(ranks.find(',', at), ranks.size());
    range.parts.push_back(part_of(std::string_view(ranks).substr(at, end - at), ranks));
    at = end + 1;
  }
  if (!time.empty()) {
    const auto dash = dash_of(time);
    if (dash == std::string::npos)
      throw InputError("--trace-time: '{}' is not a span of time (FROM-UNTIL). Write '--trace-time 0s-{}'?", time,
                       parse_quantity(time, Dimension::time).si ? time : "2ms");
    range.from = time_of(time.substr(0, dash), time);
    range.until = time_of(time.substr(dash + 1), time);
    if (!(range.from < range.until))
      throw InputError("--trace-time: '{}' ends before it begins (FROM-UNTIL). Write '{}-{}'?", time,
                       time.substr(dash + 1), time.substr(0, dash));
  }
  return range;
}

}  // namespace orrery::study
